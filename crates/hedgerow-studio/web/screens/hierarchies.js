// Hierarchies: columns, candidates, the tree as icicle, outline or levels, and its edits.
import { html, useState, useEffect, useMemo, useRef } from '../html.js';
import { hierarchyPath } from '../api.js';
import { changeJob, store, useApi, useStore } from '../store.js';
import { address, go } from '../router.js';
import { useKeys } from '../keys.js';
import { grow } from '../commands.js';
import { Bar } from '../parts/bars.js';
import { Trouble, Working } from '../parts/messages.js';
import { Growing } from './goal.js';
import { Candidates, Grow, Save, choose, discard } from './hierarchy/candidates.js';
import { Icicle } from './hierarchy/icicle.js';
import { Outline } from './hierarchy/outline.js';
import { Levels } from './hierarchy/levels.js';
import { History, NodeCard, Preview } from './hierarchy/node.js';
import { OPERATIONS, cut } from './hierarchy/operations.js';
import { Rank } from './hierarchy/rank.js';
import { Senses } from './hierarchy/senses.js';
import { Tree } from './hierarchy/tree.js';
import { count, many, percent } from '../format.js';

const EVEN = { semantic: 25, privacy: 25, distortion: 25, interval: 25 };

function Columns({ columns, open, view }) {
  const list = useRef(null);
  // On a phone the columns are a strip, in which the open one can be out of sight.
  useEffect(() => {
    const link = list.current?.querySelector('[aria-current=page]');
    if (link) list.current.scrollLeft = link.offsetLeft - list.current.offsetLeft;
  }, [open]);
  const hasShares = columns.some((column) => column.share_of_loss != null);
  return html`<nav ref=${list} class="card flush" aria-label="Quasi-identifiers"><header><h2>Columns</h2><span class="grow"></span>${hasShares && html`<span class="tiny mute">share of loss</span>`}</header>
    ${columns.map((column) => {
      const used = column.candidates.find((candidate) => candidate.chosen);
      return html`<a key=${column.column} class="pick-column" href=${address('hierarchies', [column.column], { view })} aria-current=${column.column === open ? 'page' : null}>
        <span class="row"><b class="grow">${column.column}</b>${column.unsure_senses > 0 && html`<span class="pill warn">${many(column.unsure_senses, 'sense')}?</span>`}</span>
        <span class="tiny mute">${used ? `${used.name} · ${many(used.nodes, 'node')}` : column.candidates.length ? 'the run chooses' : 'none yet'}</span>
        ${column.share_of_loss != null && html`<${Bar} kind="thin" share=${column.share_of_loss} fill="f-warn" label="${percent(column.share_of_loss, 0)} of the loss" />`}</a>`;
    })}</nav>`;
}

function Nothing({ quasi, isGrowing }) {
  return html`<section class="card"><div class="empty"><h1>${quasi ? 'No hierarchies yet' : 'No quasi-identifiers yet'}</h1>
    ${quasi ? html`<p>A hierarchy says how values of a column can be published less exactly: 34 as 30 to 39. hedgerow grows those that fit each column and keeps the one that loses least.</p>
        ${isGrowing ? html`<${Growing} />` : html`<button type="button" class="btn pri" onClick=${grow}>Grow ${many(quasi, 'hierarchy', 'hierarchies')}</button>`}`
      : html`<p>Go to the table and mark what others may know of a person as Quasi. Each of these columns then needs a hierarchy.</p><a class="btn pri" href="/table">To the table</a>`}</div></section>`;
}

/** The address names column, candidate, node and view; missing parts get defaults. */
function useOpen(route, columns) {
  const column = columns.find((one) => one.column === route.rest[0]) ?? columns[0];
  const wanted = route.rest[0] === column?.column ? route.rest[1] : undefined;
  const found = column?.candidates.find((one) => one.id === wanted);
  // A candidate that was just grown is not in the list before the list was read again. Until then
  // none is open, because what is done to another one would lead back to that.
  const isAwaited = wanted != null && wanted === store.awaited && !found;
  const candidate = isAwaited ? undefined : found ?? column?.candidates.find((one) => one.chosen) ?? column?.candidates[0];
  const view = route.query.view ?? (column?.kind === 'text' ? 'outline' : 'icicle');
  useEffect(() => {
    if (isAwaited) return;
    if (candidate?.id === store.awaited) store.awaited = null;
    const rest = [column?.column, candidate?.id].filter((part) => part != null);
    if (rest.length && rest.join('\n') !== route.rest.join('\n')) go(address('hierarchies', rest, route.query), true);
  });
  return { column, candidate, view };
}

export function HierarchiesScreen({ route, state }) {
  const shared = useStore();
  const { data, error, reload } = useApi('/api/hierarchies', ['hierarchies', 'job', 'runs']);
  const quasi = Object.values(state.job.roles).filter((role) => role === 'quasi').length;
  const [last, setLast] = useState(null);
  if (data && data !== last) setLast(data);
  const known = data ?? last;
  const columns = known?.columns ?? [];
  const open = useOpen(route, columns);
  const [weights, setWeights] = useState(EVEN);
  const isText = open.column?.kind === 'text' && state.features.wordnet;
  if (error && !known) return html`<main id="main" tabindex="-1"><${Trouble} problem=${error} onAgain=${reload} /></main>`;
  if (!known) return html`<main id="main" tabindex="-1" aria-busy="true"><${Working}>Reading the hierarchies<//></main>`;
  if (!columns.some((column) => column.candidates.length)) return html`<main id="main" tabindex="-1"><${Nothing} quasi=${quasi} isGrowing=${shared.growing} /></main>`;
  const lacking = columns.filter((column) => !column.candidates.length).length;
  return html`<main id="main" tabindex="-1" class="three">
    <div class="column left"><h1 class="visually">Hierarchies</h1><${Columns} columns=${columns} open=${open.column?.column} view=${route.query.view} />
      ${lacking > 0 && html`<button type="button" class="btn block" disabled=${shared.growing} onClick=${grow}>${shared.growing ? 'Growing' : `Grow ${many(lacking, 'more hierarchy', 'more hierarchies')}`}</button>`}
      <a class="btn pri block" href="/release">To the release</a>
      ${open.candidate && html`<${Ranking} key=${open.column.column} isText=${isText} column=${open.column.column} open=${open.candidate.id} view=${route.query.view} weights=${weights} onWeights=${setWeights} />`}</div>
    <${OneHierarchy} key=${`one ${open.column.column}`} weights=${weights} isText=${isText} route=${route} k=${known.k} ...${open} />
  </main>`;
}

/** Everything about the open candidate: two of the three columns of the screen. */
function OneHierarchy({ route, column, candidate, view, k, weights, isText }) {
  const [dialog, setDialog] = useState(null);
  const path = candidate?.kind === 'tree' ? hierarchyPath(column.column, candidate.id) : null;
  const answer = useApi(path, ['hierarchies', 'runs', 'senses']);
  const [tree, setTree] = useState(null);
  useEffect(() => setTree(answer.data && new Tree(answer.data)), [answer.data]);
  const isShown = tree && tree.candidate === candidate?.id;
  return html`<${Editor} route=${route} column=${column} candidate=${candidate} view=${view} k=${k} tree=${isShown ? tree : null} answer=${answer} weights=${weights} isText=${isText}
    dialog=${dialog} onDialog=${setDialog} />`;
}

function Editor({ route, column, candidate, view, k, tree, answer, weights, isText, dialog, onDialog }) {
  // An operation names nodes of one version of the tree, so it is dropped with that version.
  const [made, setMade] = useState(null);
  const draft = made && made.version === tree?.version && made.candidate === candidate?.id ? made.operation : null;
  const setDraft = (operation) => setMade(operation && { operation, version: tree?.version, candidate: candidate?.id });
  const [asked, setAsked] = useState(null);
  const [zoom, setZoom] = useState(0);
  const [byValue, setByValue] = useState(true);
  const find = useRef(null);
  const rest = candidate ? [column.column, candidate.id] : route.rest;
  const at = (tree && tree.placeOf(Number(route.query.node ?? 0))) ?? 0;
  const isEditable = store.state.features.edits && candidate?.kind === 'tree';
  useEffect(() => setZoom(0), [candidate?.id, tree?.version]);
  const select = (place) => { setDraft(null); go(address('hierarchies', rest, { ...route.query, node: tree.node[place] || null }), true); };
  const make = (operation) => setDraft(operation);
  const show = (name) => go(address('hierarchies', rest, { ...route.query, view: name }));
  const moved = (place) => place != null && place >= 0 && select(place);
  const edit = (operation) => {
    if (operation.key === ']' || operation.key === '[') return make(cut(tree, at, operation.key === ']' ? 1 : -1, draft));
    const made = operation.make(tree, at);
    return typeof made === 'string' ? setAsked(made) : make(made);
  };
  useKeys(tree ? [
    { key: 'ArrowLeft', about: 'Node before', run: () => moved(tree.previous(at)), isOff: view !== 'icicle' },
    { key: 'ArrowRight', about: 'Next node', run: () => moved(tree.next(at)), isOff: view !== 'icicle' },
    { key: 'ArrowUp', about: 'Parent', run: () => moved(tree.above[at]), isOff: view !== 'icicle' },
    { key: 'ArrowDown', about: 'First child', run: () => moved(tree.firstChild(at)), isOff: view !== 'icicle' },
    { key: 'Z', about: 'Zoom to the node, or out', run: () => setZoom(zoom === at ? 0 : at), isOff: view !== 'icicle' },
    { key: '/', about: 'Find a node', run: () => find.current?.focus() },
    { key: 'O', about: 'Outline', run: () => show('outline') },
    { key: 'C', about: 'Icicle', run: () => show('icicle') },
    { key: 'F2', run: () => setAsked('rename'), isOff: !isEditable || tree.isLeaf(at) },
    ...(isEditable ? OPERATIONS.filter((one) => one.fits(tree, at)).map((one) => ({ key: one.key, about: one.name, run: () => edit(one) })) : []),
  ] : []);
  const top = tree && zoom < tree.size ? zoom : 0;
  const leaf = tree && tree.isLeaf(at) ? tree.label[at] : null;
  const pickValue = (value) => {
    const place = tree ? tree.label.findIndex((label, one) => label === value && tree.isLeaf(one)) : -1;
    if (place >= 0) select(place); else go(address('hierarchies', rest, { ...route.query, node: null }), true);
    setValue(value);
  };
  const [value, setValue] = useState(null);
  useEffect(() => { if (leaf) setValue(leaf); }, [leaf]);
  const findNode = (text) => {
    const wanted = text.toLowerCase();
    for (let step = 1; wanted && step <= tree.size; step += 1) {
      const place = (at + step) % tree.size;
      if (tree.label[place].toLowerCase().includes(wanted)) return select(place);
    }
    return null;
  };
  return html`<section class="card middle" aria-labelledby="hierarchy" aria-busy=${answer.isBusy}>
      <header><h2 id="hierarchy" class="big">${column.column}</h2>
        <span class="mute small">${many(column.distinct, 'value')}${tree ? ` · height ${tree.height} · ${many(tree.total, 'node')}` : ''}</span><span class="grow"></span>
        <span class="seg" role="group" aria-label="View">${['icicle', 'outline', 'levels'].map((name) => html`<button key=${name} type="button" aria-pressed=${view === name} onClick=${() => show(name)}>${name[0].toUpperCase() + name.slice(1)}</button>`)}</span>
        ${tree && view !== 'levels' && html`<input ref=${find} class="field short" type="search" placeholder="Find  /" aria-label="Find a node" onKeyDown=${(event) => event.key === 'Enter' && findNode(event.target.value)} />`}
        ${candidate && html`<button type="button" class="btn slim" onClick=${() => onDialog('save')}>Save as</button>`}</header>
      <div class="pad stack">
        <${Candidates} column=${column} open=${candidate?.id} view=${route.query.view} onGrow=${() => onDialog('grow')} />
        ${candidate && html`<div class="row wrap small">${candidate.chosen ? html`<span class="pill ok">releases use this one</span>` : html`<button type="button" class="btn slim" disabled=${candidate.problem} onClick=${() => choose(column.column, candidate.id)}>Use this one</button>`}
          <span class="mute">${candidate.why ?? candidate.method}</span><span class="grow"></span>
          ${candidate.chosen && html`<button type="button" class="btn slim ghost" onClick=${() => choose(column.column, null)}>Let the run choose</button>`}
          <button type="button" class="btn slim ghost" onClick=${() => discard(column.column, candidate.id)}>Remove from the list</button></div>`}
        ${candidate?.problem && html`<div class="note bad" role="alert"><p>${candidate.problem}</p></div>`}
        ${candidate?.pins_root.length > 0 && tree && html`<div class="note warn"><p><b>The root is “${tree.label[0]}” because of ${many(candidate.pins_root.length, 'value')}.</b> Without ${candidate.pins_root.slice(0, 4).map((one, index) => html`${index > 0 && ' and '}<button type="button" class="link" key=${one} onClick=${() => pickValue(one)}>${one}</button>`)} it would be narrower.</p></div>`}
        ${tree?.lint.length > 0 && html`<details class="note"><summary>${many(tree.lint.length, 'remark')} on this tree</summary>${tree.lint.slice(0, 50).map((one, index) => html`<p key=${index}>${one.message} ${one.node != null && html`<button type="button" class="link" onClick=${() => moved(tree.placeOf(one.node))}>show</button>`}</p>`)}</details>`}
      </div>
      <${Drawing} tree=${tree} answer=${answer} column=${column.column} candidate=${candidate} hasOthers=${column.candidates.length > 0} view=${view} at=${at} top=${top} k=${k} byValue=${byValue} draft=${draft} pins=${candidate?.pins_root} isEditable=${isEditable}
        onSelect=${select} onZoom=${setZoom} onByValue=${setByValue} onCut=${(to) => make({ op: 'move-cut', node: tree.node[at], to })} />
      ${dialog === 'grow' && html`<${Grow} column=${column} onClose=${() => onDialog(null)} />`}
      ${dialog === 'save' && html`<${Save} column=${column.column} candidate=${candidate.id} onClose=${() => onDialog(null)} />`}
    </section>
    <aside class="column side" aria-label="Node and edits">
      ${tree && html`<${NodeCard} tree=${tree} at=${at} k=${k} isEditable=${isEditable} suited=${column.suited} asked=${asked} onAsk=${setAsked} onMake=${make} />`}
      ${draft && tree && html`<${Preview} column=${column.column} candidate=${candidate.id} version=${tree.version} k=${k} weights=${weights} draft=${draft} onDone=${() => setDraft(null)} />`}
      ${isText && html`<${Senses} column=${column.column} value=${value} candidate=${candidate?.id} weights=${weights} canEdit=${isEditable} onPick=${pickValue} onOnlyHere=${make} />`}
      ${tree && html`<${History} history=${tree.history} method=${`grown by ${candidate.name}`} />`}
    </aside>`;
}

/** Words are ranked at once; for other columns the ranking is asked for. */
function Ranking({ isText, ...given }) {
  const [isOpen, setOpen] = useState(isText);
  return isOpen ? html`<${Rank} ...${given} />` : html`<button type="button" class="btn block" onClick=${() => setOpen(true)}>Rank candidates by four aspects</button>`;
}

/** Sets or removes the highest level that releases may use; limits by label stay. */
function setLevel(column, label) {
  const { [column]: before = [], ...limit } = store.state.job.limit;
  const labels = [...before.filter((one) => !one.startsWith('level:')), ...(label ? [label] : [])];
  return changeJob({ limit: labels.length ? { ...limit, [column]: labels } : limit });
}

/** The tree in the view that was chosen, or why there is none. */
function Drawing({ tree, answer, column, candidate, hasOthers, view, at, top, k, byValue, draft, pins, isEditable, onSelect, onZoom, onByValue, onCut }) {
  const path = useMemo(() => (tree ? tree.path(at) : []), [tree, at]);
  if (!candidate && hasOthers) return html`<div class="pad" aria-busy="true"><${Working}>Reading the new hierarchy<//></div>`;
  if (!candidate) return html`<div class="empty"><h2>No candidate yet</h2><p>Grow one that fits this column, or open a file.</p></div>`;
  if (candidate.kind !== 'tree') return html`<div class="empty"><h2>${candidate.kind === 'free' ? 'No hierarchy: sets of values' : 'A stack of levels, not a tree'}</h2><p>${candidate.kind === 'free' ? 'Values are put together as the search needs it, so there is nothing to draw.' : 'Its levels are not nested, so it cannot be drawn or edited as a tree.'}</p></div>`;
  if (answer.error) return html`<div class="pad"><${Trouble} problem=${answer.error} onAgain=${answer.reload} /></div>`;
  if (!tree) return html`<div class="pad" aria-busy="true"><${Working}>Reading the tree of ${many(candidate.nodes, 'node')}<//></div>`;
  const levels = html`<${Levels} tree=${tree} k=${k} lowest=${candidate.lowest_level} limit=${store.state.job.limit[column] ?? []} onLimit=${candidate.chosen ? (label) => setLevel(column, label) : null} />`;
  if (view === 'levels') return levels;
  if (view === 'outline') return html`<${Outline} tree=${tree} selected=${at} k=${k} pins=${pins} onSelect=${onSelect} />`;
  return html`<div class="pad"><${Icicle} tree=${tree} selected=${at} top=${top} k=${k} byValue=${byValue} draft=${draft} onSelect=${onSelect} onZoom=${(place) => onZoom(place === top ? 0 : place)} onCut=${isEditable && tree.low ? onCut : null} /></div>
    <div class="crumb small"><span class="mute">Selected</span><span class="path" aria-live="polite">${path.map((place, index) => html`<span key=${place}>${index > 0 && ' › '}<button type="button" class=${place === at ? 'link strong' : 'link plain'} onClick=${() => onSelect(place)}>${tree.label[place]}</button></span>`)}</span><span class="grow"></span>
      ${tree.low && html`<button type="button" class="btn slim ghost" onClick=${() => onByValue(!byValue)}>${byValue ? 'Same width for all values' : 'True distances'}</button>`}
      <button type="button" class="btn slim ghost" onClick=${() => onZoom(top === at ? 0 : at)}>${top === at && at !== 0 ? 'Zoom out' : 'Zoom in'} <kbd>Z</kbd></button></div>
    <details class="more" open><summary><b>Levels</b> <span class="mute small">what publishing a whole level would mean, of ${count(tree.count[0])} records</span></summary>${levels}</details>`;
}
