// A hierarchy in the page: the flat arrays of the server, prepared for walking and drawing.

/** Finds nodes, children and ancestors of a tree in pre-order. Positions in the arrays are node numbers of a whole tree. */
export class Tree {
  constructor(answer) {
    Object.assign(this, answer, answer.arrays);
    this.size = this.node.length;
    this.places = this.node.every((number, place) => number === place) ? null : new Map(this.node.map((number, place) => [number, place]));
    this.above = Int32Array.from(this.parent, (number) => (number < 0 ? -1 : this.placeOf(number) ?? -1));
    this.measure();
    this.lockedSet = new Set(this.locked ?? []);
    this.rareSet = new Set(this.rare ?? []);
  }

  /** Counts children and finds where each subtree ends, in one pass from the back. */
  measure() {
    this.after = new Int32Array(this.size);
    this.nChildren = new Int32Array(this.size);
    for (let place = this.size - 1; place >= 0; place -= 1) {
      this.after[place] = Math.max(this.after[place], place + 1);
      const above = this.above[place];
      if (above >= 0) {
        this.after[above] = Math.max(this.after[above], this.after[place]);
        this.nChildren[above] += 1;
      }
    }
    this.deepest = 0;
    for (const depth of this.depth) this.deepest = Math.max(this.deepest, depth);
  }

  placeOf(number) {
    return this.places ? this.places.get(number) : number >= 0 && number < this.size ? number : undefined;
  }

  isLeaf(place) {
    return this.nChildren[place] === 0;
  }

  firstChild(place) {
    return this.isLeaf(place) ? null : place + 1;
  }

  next(place) {
    const above = this.above[place];
    return above >= 0 && this.after[place] < this.after[above] ? this.after[place] : null;
  }

  previous(place) {
    const above = this.above[place];
    if (above < 0 || place === above + 1) return null;
    let at = above + 1;
    while (this.after[at] < place) at = this.after[at];
    return at;
  }

  children(place) {
    const found = [];
    for (let at = this.firstChild(place); at != null; at = this.next(at)) found.push(at);
    return found;
  }

  /** From the root down to the node itself. */
  path(place) {
    const path = [];
    for (let at = place; at >= 0; at = this.above[at]) path.unshift(at);
    return path;
  }

  /** The node that covers one leaf and has no children. */
  leafPlace(leaf) {
    this.leaves ??= this.findLeaves();
    return this.leaves[leaf - this.start[0]];
  }

  findLeaves() {
    const leaves = new Int32Array(this.end[0] - this.start[0]);
    for (let place = 0; place < this.size; place += 1) {
      if (this.isLeaf(place)) leaves.fill(place, this.start[place] - this.start[0], this.end[place] - this.start[0]);
    }
    return leaves;
  }

  /**
   * Edges between the leaves on the axis: halfway between neighbours for numbers and dates, one
   * step each otherwise. There is one more edge than leaves.
   */
  edges(byValue) {
    const [from, to] = [this.start[0], this.end[0]];
    const n = to - from;
    if (!byValue || !this.low || n < 2) return Float64Array.from({ length: n + 1 }, (_, at) => at);
    const value = (at) => (this.low[this.leafPlace(from + at)] + this.high[this.leafPlace(from + at)]) / 2;
    const edges = new Float64Array(n + 1);
    for (let at = 1; at < n; at += 1) edges[at] = (value(at - 1) + value(at)) / 2;
    edges[0] = value(0) - (edges[1] - value(0));
    edges[n] = value(n - 1) + (value(n - 1) - edges[n - 1]);
    return edges;
  }
}

/** Steps of colours for records that were published as a node, from few to many. */
export function steps(published) {
  const most = published ? published.reduce((a, b) => Math.max(a, b), 0) : 0;
  const round = (n) => {
    const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1);
    return Math.max(1, Math.round(n / unit) * unit);
  };
  return most > 3 ? [...new Set([round(most * 0.1), round(most * 0.3), round(most * 0.6)])] : [1];
}

/** The colour of a node, from 0 (no records) to 4. */
export function shade(n, bounds) {
  return n === 0 ? 0 : 1 + bounds.filter((bound) => n >= bound).length;
}
