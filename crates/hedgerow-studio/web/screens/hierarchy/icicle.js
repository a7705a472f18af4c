// A hierarchy as an icicle above the histogram of its values. Few nodes are SVG, many are drawn on
// a canvas.
import { html, useRef, useState, useEffect, useLayoutEffect, useMemo } from '../../html.js';
import { count, day, number } from '../../format.js';
import { shade, steps } from './tree.js';

/** Above this number of visible nodes, shapes of the page become slower than a canvas. */
const MOST_SHAPES = 2000;
const GAP = 1;
const HISTOGRAM = 96;

/** The width of an element, which follows the window. */
function useWidth() {
  const place = useRef(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(place.current);
    setWidth(Math.floor(place.current.clientWidth));
    return () => observer.disconnect();
  }, []);
  return [place, width];
}

/** Rectangles of all nodes below `top` that are at least a pixel wide; subtrees of narrower ones are skipped. */
export function layout(tree, top, edges, width, row) {
  const first = tree.start[0];
  const from = edges[tree.start[top] - first];
  const scale = width / (edges[tree.end[top] - first] - from || 1);
  const boxes = [];
  let place = top;
  while (place < tree.after[top]) {
    const x = (edges[tree.start[place] - first] - from) * scale;
    const w = (edges[tree.end[place] - first] - from) * scale - x;
    if (w < 1) {
      place = tree.after[place];
    } else {
      boxes.push({ place, x, w, y: (tree.depth[place] - tree.depth[top]) * row });
      place += 1;
    }
  }
  return { boxes, from, scale };
}

/** `[17, 31]` as `17–31`, which is shorter; other labels stay. */
const brief = (label) => label.replace(/^\[(.+), (.+)\]$/, '$1–$2');

const shortened = (text, width) => {
  const fits = Math.floor((width - 5) / 6.3);
  if (text.length > fits && text.includes('–')) return '';
  return text.length <= fits ? text : fits >= 4 ? `${text.slice(0, fits - 1)}…` : '';
};

/** The colours of the theme, resolved for a canvas. */
function colours(element) {
  const probe = document.createElement('i');
  element.append(probe);
  const resolve = (name) => {
    probe.className = `probe-${name}`;
    return getComputedStyle(probe).color;
  };
  const found = Object.fromEntries(['h0', 'h1', 'h2', 'h3', 'h4', 'ink', 'on3', 'on4', 'blue'].map((name) => [name, resolve(name)]));
  probe.remove();
  return found;
}

function paint(canvas, boxes, { width, height, row, shadeOf, labelOf, selected }) {
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  const tone = colours(canvas.parentElement);
  pen.font = '11px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (const { place, x, y, w } of boxes) {
    const band = shadeOf(place);
    pen.fillStyle = tone[`h${band}`];
    pen.fillRect(x, y, Math.max(w - GAP, 0.6), row - GAP);
    const text = w > 30 ? shortened(labelOf(place), w) : '';
    if (text) {
      pen.fillStyle = band === 4 ? tone.on4 : band === 3 ? tone.on3 : tone.ink;
      pen.fillText(text, x + w / 2, y + row / 2);
    }
  }
  const on = boxes.find((box) => box.place === selected);
  if (on) {
    pen.strokeStyle = tone.blue;
    pen.lineWidth = 2.5;
    pen.strokeRect(on.x + 1, on.y + 1, Math.max(on.w - 3, 1), row - 3);
  }
}

function Drawn({ boxes, width, height, row, shadeOf, labelOf, selected }) {
  return html`<svg class="icicle" width=${width} height=${height} viewBox="0 0 ${width} ${height}" aria-hidden="true">
    ${boxes.map(({ place, x, y, w }) => {
      const text = w > 14 ? shortened(labelOf(place), w) : '';
      return html`<g key=${place} class="b${shadeOf(place)} ${place === selected ? 'on' : ''}" data-place=${place}>
        <rect x=${x} y=${y} width=${Math.max(w - GAP, 0.6)} height=${row - GAP} rx=${w > 6 ? 2 : 0} />${text && html`<text x=${x + w / 2 - GAP / 2} y=${y + row / 2 + 3.5}>${text}</text>`}</g>`;
    })}</svg>`;
}

/** Bars of the histogram: one for each leaf that is wide enough, and one for each pixel of narrower leaves. */
function barsOf(tree, top, xOf, width) {
  const first = tree.start[0];
  const wide = [];
  const pixels = new Float64Array(Math.ceil(width) + 1);
  for (let leaf = tree.start[top]; leaf < tree.end[top]; leaf += 1) {
    const [x, n] = [xOf(leaf), tree.leaf_counts[leaf - first]];
    const w = xOf(leaf + 1) - x;
    if (w >= 1.5) wide.push({ x, w, n }); else pixels[Math.max(0, Math.floor(x))] += n;
  }
  return [...wide, ...Array.from(pixels, (n, x) => ({ x: x + 0.001, w: 1, n }))];
}

/** The histogram of the leaves below the icicle, on the same axis. */
function Histogram({ tree, top, selected, edges, from, scale, width, cut }) {
  const first = tree.start[0];
  const xOf = (leaf) => (edges[leaf - first] - from) * scale;
  const bars = useMemo(() => barsOf(tree, top, xOf, width), [tree, top, edges, width]);
  const most = bars.reduce((highest, bar) => Math.max(highest, bar.n), 1e-9);
  const [left, right] = selected == null ? [0, 0] : [xOf(tree.start[selected]), xOf(tree.end[selected])];
  const shapes = bars.filter((bar) => bar.n > 0).map(({ x, w, n }) => {
    const height = Math.max(1, (n / most) * (HISTOGRAM - 4));
    const isIn = selected !== top && x + w / 2 > left && x + w / 2 < right;
    return html`<rect key=${x} class=${isIn ? 'in' : ''} x=${x} y=${HISTOGRAM - height} width=${w > 4 ? w - 0.8 : w} height=${height} />`;
  });
  const few = [...tree.rareSet].filter((leaf) => leaf >= tree.start[top] && leaf < tree.end[top]).slice(0, 400);
  return html`<svg class="under" width=${width} height=${HISTOGRAM} viewBox="0 0 ${width} ${HISTOGRAM}" aria-hidden="true">${shapes}
    ${few.map((leaf) => {
      const x = (edges[leaf - first] + edges[leaf - first + 1]) / 2;
      return html`<path key=${leaf} class="few" d="M${(x - from) * scale - 3} ${HISTOGRAM - 12}h6l-3 6z" />`;
    })}
    ${cut != null && html`<line class="cut" x1=${cut} x2=${cut} y1="0" y2=${HISTOGRAM} />`}</svg>`;
}

function Axis({ tree, top, byValue, width, from, scale }) {
  const first = tree.start[0];
  const write = tree.kind === 'date' ? day : number;
  if (!byValue || !tree.low) {
    return html`<div class="axis mute tiny"><span>${tree.label[tree.leafPlace(tree.start[top])]}</span><span>${tree.label[tree.leafPlace(tree.end[top] - 1)]}</span></div>`;
  }
  const [low, high] = [tree.low[top], tree.high[top]];
  const rough = (high - low || 1) / Math.max(2, Math.floor(width / 90));
  const unit = 10 ** Math.floor(Math.log10(rough));
  const stride = [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough);
  const marks = [];
  for (let at = Math.ceil(low / stride) * stride; at <= high + stride * 1e-9; at += stride) marks.push(at);
  return html`<svg class="scale" width=${width} height="18" aria-hidden="true">${marks.map((at) => html`<text key=${at} x=${Math.max(12, Math.min(width - 12, (at - from) * scale))} y="13">${write(at)}</text>`)}</svg>`;
}

/** The meanings of the colours. */
function Legend({ tree, bounds, k }) {
  const names = tree.published ? ['none', ...bounds.map((bound) => `< ${count(bound)}`), `${count(bounds[bounds.length - 1])} or more`] : [`fewer than ${k} records`, `${k} or more`];
  return html`<p class="legend small"><b>Colour:</b> <span class="mute">${tree.published ? 'records that the chosen release published as this node' : 'records below the node; after a release, how many it published as this node'}</span>
    ${names.map((name, band) => html`<span key=${name} class="nowrap"><svg class="swatch" aria-hidden="true"><rect class="b${tree.published ? band : band * 2}" width="9" height="9" /></svg>${name}</span>`)}
    ${tree.rareSet.size > 0 && html`<span class="warn nowrap">▾ fewer than 20 records</span>`}</p>`;
}

/** Draws the tree; dragging the edge of the selected node moves the cut between it and its neighbour. */
export function Icicle({ tree, selected, top, k, byValue, draft, onSelect, onZoom, onCut }) {
  const [place, width] = useWidth();
  const [drag, setDrag] = useState(null);
  // The click that ends a drag does not select.
  const wasDragged = useRef(false);
  const canvas = useRef(null);
  const edges = useMemo(() => tree.edges(byValue), [tree, byValue]);
  const nRows = useMemo(() => {
    let deepest = 0;
    for (let at = top; at < tree.after[top]; at += 1) deepest = Math.max(deepest, tree.depth[at] - tree.depth[top]);
    return deepest + 1;
  }, [tree, top]);
  const row = Math.max(16, Math.min(32, Math.floor(300 / nRows)));
  const height = nRows * row;
  const { boxes, from, scale } = useMemo(() => layout(tree, top, edges, width || 1, row), [tree, top, edges, width, row]);
  const bounds = useMemo(() => steps(tree.published), [tree]);
  const shadeOf = (at) => (tree.published ? shade(tree.published[at], bounds) : tree.count[at] < k ? 0 : 2);
  const labelOf = (at) => (tree.lockedSet.has(tree.node[at]) ? `${brief(tree.label[at])} ·locked` : brief(tree.label[at]));
  const isCanvas = boxes.length > MOST_SHAPES;
  const look = { width, height, row, shadeOf, labelOf, selected };
  useEffect(() => {
    if (isCanvas && canvas.current && width) paint(canvas.current, boxes, look);
  });
  const first = tree.start[0];
  const xOf = (leaf) => (edges[leaf - first] - from) * scale;
  const neighbour = selected == null ? null : tree.next(selected);
  const at = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const find = (event) => {
    const [x, y] = at(event);
    return boxes.find((box) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + row)?.place;
  };
  const isEdge = (event) => neighbour != null && onCut && Math.abs(at(event)[0] - xOf(tree.end[selected])) < 5;
  const nearest = (x) => {
    let [low, high] = [tree.start[selected] + 1, tree.end[neighbour] - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (xOf(middle) < x) low = middle + 1; else high = middle;
    }
    return low > tree.start[selected] + 1 && x - xOf(low - 1) < xOf(low) - x ? low - 1 : low;
  };
  const onDown = (event) => {
    if (isEdge(event)) {
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag(tree.end[selected]);
    }
  };
  const onMove = (event) => {
    if (drag != null) setDrag(nearest(at(event)[0]));
    else event.currentTarget.classList.toggle('grab', Boolean(isEdge(event)));
  };
  const onUp = () => {
    wasDragged.current = drag != null;
    if (drag != null && drag !== tree.end[selected]) onCut(drag);
    setDrag(null);
  };
  const onClick = (event) => {
    const isDrag = wasDragged.current;
    wasDragged.current = false;
    if (isDrag) return;
    const found = find(event);
    if (found != null && !isEdge(event)) onSelect(found);
  };
  const cutLeaf = drag ?? (draft?.op === 'move-cut' ? draft.to : null);
  const cut = cutLeaf == null || cutLeaf < tree.start[top] || cutLeaf > tree.end[top] ? null : xOf(cutLeaf);
  return html`<div class="drawing" ref=${place}>
    ${width > 0 && html`<div class="frame"><div class="touch" onPointerDown=${onDown} onPointerMove=${onMove} onPointerUp=${onUp} onClick=${onClick} onDblClick=${(event) => { const found = find(event); if (found != null) onZoom(found); }}>
        ${isCanvas ? html`<canvas class="icicle" ref=${canvas} width=${width} height=${height} aria-hidden="true"></canvas>` : html`<${Drawn} boxes=${boxes} ...${look} />`}
        ${cut != null && html`<svg class="over" width=${width} height=${height} aria-hidden="true"><line class="cut" x1=${cut} x2=${cut} y1="0" y2=${height} /></svg>`}
      </div></div>
      <${Histogram} tree=${tree} top=${top} selected=${selected} edges=${edges} from=${from} scale=${scale} width=${width} cut=${cut} />
      <${Axis} tree=${tree} top=${top} byValue=${byValue} width=${width} from=${from} scale=${scale} />
      ${cutLeaf != null && html`<p class="pill blue">cut before ${tree.label[tree.leafPlace(cutLeaf)]}</p>`}`}
    <${Legend} tree=${tree} bounds=${bounds} k=${k} />
  </div>`;
}
