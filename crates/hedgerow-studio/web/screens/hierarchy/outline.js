// A hierarchy as an outline: the accessible twin of the icicle. Only the rows that can be seen are
// in the page.
import { html, useRef, useState, useEffect, useMemo, useLayoutEffect } from '../../html.js';
import { Bar } from '../../parts/bars.js';
import { count, many } from '../../format.js';

const ROW = 27;
const SPARE = 8;
/** Trees up to this size are shown open. */
const OPEN_ALL = 400;

/** Nodes in the order of the rows; those with one child can be left out. */
function rowsOf(tree, closed, skip) {
  const rows = [];
  const level = new Int32Array(tree.size);
  let place = 0;
  while (place < tree.size) {
    const above = tree.above[place];
    const isSkipped = skip && tree.nChildren[place] === 1;
    level[place] = above < 0 ? 0 : level[above] + (skip && tree.nChildren[above] === 1 ? 0 : 1);
    if (!isSkipped) rows.push({ place, level: level[place] });
    place = closed.has(place) && !isSkipped ? tree.after[place] : place + 1;
  }
  return rows;
}

/** At first, large trees show three levels. */
function firstClosed(tree) {
  const closed = new Set();
  if (tree.size <= OPEN_ALL) return closed;
  for (let place = 0; place < tree.size; place += 1) {
    if (tree.depth[place] >= 2 && !tree.isLeaf(place)) closed.add(place);
  }
  return closed;
}

function Row({ tree, row, at, n, isOn, isOpen, k, pins, onToggle, onSelect }) {
  const { place, level } = row;
  const isLeaf = tree.isLeaf(place);
  const share = tree.count[place] / Math.max(1, tree.count[0]);
  const classes = `item ${isOn ? 'on' : ''} ${isLeaf ? 'leaf' : ''}`;
  return html`<div class=${classes} role="treeitem" id="node-${tree.node[place]}" aria-level=${level + 1} aria-posinset=${at + 1} aria-setsize=${n}
      aria-selected=${isOn} aria-expanded=${isLeaf ? null : isOpen} onClick=${() => onSelect(place)}>
    <svg class="indent" width=${level * 16 + 16} height=${ROW} aria-hidden="true" onClick=${(event) => { event.stopPropagation(); onToggle(place); }}>
      ${Array.from({ length: level }, (_, depth) => html`<line key=${depth} x1=${depth * 16 + 8} x2=${depth * 16 + 8} y1="0" y2=${ROW} />`)}
      ${!isLeaf && html`<path d=${isOpen ? `M${level * 16 + 4} 11h8l-4 5z` : `M${level * 16 + 5} 9l6 4-6 4z`} />`}
    </svg>
    <span class="label">${tree.label[place]}</span>
    ${tree.concept?.[place] && html`<i class="mute tiny">${tree.concept[place]}</i>`}
    ${tree.lockedSet.has(tree.node[place]) && html`<span class="pill blue">locked</span>`}
    ${tree.count[place] < k && html`<span class="pill warn">${count(tree.count[place])} < k = ${k}</span>`}
    ${isLeaf && pins.includes(tree.label[place]) && html`<span class="pill warn">pins the root</span>`}
    <span class="grow"></span>
    <span class="amount"><${Bar} share=${share} fill=${isLeaf ? 'f-h3' : 'f-h1'} /></span><span class="num amount-n">${count(tree.count[place])}</span>
  </div>`;
}

export function Outline({ tree, selected, k, pins = [], onSelect, onKey }) {
  const [closed, setClosed] = useState(() => firstClosed(tree));
  const [skip, setSkip] = useState(false);
  const [view, setView] = useState({ top: 0, height: 560 });
  const frame = useRef(null);
  const known = useRef(tree);
  // An edit gives another tree, in which positions mean other nodes.
  if (known.current !== tree) {
    const isSame = known.current.size === tree.size;
    known.current = tree;
    if (!isSame) setTimeout(() => setClosed(firstClosed(tree)));
  }
  const rows = useMemo(() => rowsOf(tree, closed, skip), [tree, closed, skip]);
  const singles = useMemo(() => tree.nChildren.reduce((n, children) => n + (children === 1), 0), [tree]);
  const index = rows.findIndex((row) => row.place === selected);
  useLayoutEffect(() => {
    const element = frame.current;
    const observer = new ResizeObserver(() => setView((before) => ({ ...before, height: element.clientHeight })));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // A node that is selected elsewhere is opened and scrolled to.
  useEffect(() => {
    if (selected == null || selected >= tree.size) return;
    const hiding = tree.path(selected).slice(0, -1).filter((place) => closed.has(place));
    if (hiding.length) setClosed(new Set([...closed].filter((place) => !hiding.includes(place))));
  }, [selected, tree]);
  useEffect(() => {
    if (index < 0) return;
    const [top, bottom] = [index * ROW, (index + 1) * ROW];
    const element = frame.current;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  }, [index]);
  const toggle = (place, open = closed.has(place)) => {
    const next = new Set(closed);
    if (open) next.delete(place); else next.add(place);
    if (!tree.isLeaf(place)) setClosed(next);
  };
  const from = Math.max(0, Math.floor(view.top / ROW) - SPARE);
  const to = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + SPARE);
  const onKeyDown = (event) => {
    const move = (at) => rows[at] && onSelect(rows[at].place);
    const place = rows[index]?.place;
    const isOpen = place != null && !tree.isLeaf(place) && !closed.has(place);
    const page = Math.max(1, Math.floor(view.height / ROW) - 1);
    const actions = {
      ArrowDown: () => move(Math.min(rows.length - 1, index + 1)),
      ArrowUp: () => move(Math.max(0, index - 1)),
      PageDown: () => move(Math.min(rows.length - 1, index + page)),
      PageUp: () => move(Math.max(0, index - page)),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => place != null && (isOpen ? move(index + 1) : toggle(place, true)),
      ArrowLeft: () => place != null && (isOpen ? toggle(place, false) : tree.above[place] >= 0 && onSelect(tree.above[place])),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return onKey?.(event);
    event.preventDefault();
    event.stopPropagation();
    return actions[event.key]();
  };
  // The two heights change with scrolling, so code sets them instead of a style attribute.
  const space = (height) => (element) => element && (element.style.height = `${height}px`);
  return html`<div class="outline">
    <div class="tree" role="tree" tabindex="0" aria-label="Nodes of the hierarchy" ref=${frame} aria-activedescendant=${index >= from && index < to ? `node-${tree.node[rows[index].place]}` : null}
        onScroll=${(event) => setView({ top: event.target.scrollTop, height: event.target.clientHeight })} onKeyDown=${onKeyDown}>
      <div role="none" ref=${space(from * ROW)}></div>
      ${rows.slice(from, to).map((row, offset) => html`<${Row} key=${row.place} tree=${tree} row=${row} at=${from + offset} n=${rows.length} isOn=${row.place === selected} isOpen=${!closed.has(row.place)} k=${k} pins=${pins} onToggle=${toggle} onSelect=${onSelect} />`)}
      <div role="none" ref=${space((rows.length - to) * ROW)}></div>
    </div>
    <p class="crumb small mute"><span class="wide-only"><kbd>↑</kbd> <kbd>↓</kbd> walk <kbd>→</kbd> open <kbd>←</kbd> close</span><span class="grow"></span>
      <button type="button" class="link" onClick=${() => setClosed(new Set())}>Open all</button>
      <button type="button" class="link" onClick=${() => setClosed(new Set(tree.children(0).filter((place) => !tree.isLeaf(place))))}>Close all</button>
      ${singles > 0 && html`<span>${many(singles, 'node')} with one child only: <button type="button" class="link" aria-pressed=${skip} onClick=${() => setSkip(!skip)}>${skip ? 'show them' : 'skip them'}</button></span>`}</p>
  </div>`;
}
