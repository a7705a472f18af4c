// The edits of a hierarchy: the input of each, and the dialog that asks for it.
import { html, useState } from '../../html.js';
import { store } from '../../store.js';
import { Dialog, Prompt } from '../../parts/dialog.js';
import { Parameters, parametersOf } from '../../parts/form.js';
import { count } from '../../format.js';

/**
 * Each edit has a key, a name, a test whether it makes sense for a node, and `make`, which returns
 * the operation or the name of the dialog that asks for more.
 */
export const OPERATIONS = [
  { key: 'R', name: 'Rename', fits: (tree, at) => !tree.isLeaf(at), make: () => 'rename' },
  { key: 'M', name: 'Merge next', fits: (tree, at) => isScaled(tree) && tree.next(at) != null, make: (tree, at) => ({ op: 'merge', nodes: [tree.node[at], tree.node[tree.next(at)]] }) },
  { key: 'M', name: 'Merge with', fits: (tree, at) => !isScaled(tree) && siblings(tree, at).length > 1, make: () => 'merge' },
  { key: 'S', name: 'Split', fits: (tree, at) => !tree.isLeaf(at), make: () => 'split' },
  { key: 'V', name: 'Move below', fits: (tree, at) => !isScaled(tree) && tree.above[at] >= 0, make: () => 'move' },
  { key: ']', name: 'Cut right', fits: (tree, at) => canCut(tree, at, 1), make: (tree, at) => cut(tree, at, 1) },
  { key: '[', name: 'Cut left', fits: (tree, at) => canCut(tree, at, -1), make: (tree, at) => cut(tree, at, -1) },
  { key: 'I', name: 'Insert above', fits: (tree, at) => tree.above[at] >= 0, make: () => 'insert' },
  { key: 'Delete', name: 'Remove node', fits: (tree, at) => tree.above[at] >= 0 && !tree.isLeaf(at), make: (tree, at) => ({ op: 'remove', node: tree.node[at] }) },
  { key: 'P', name: 'Prune below', fits: (tree, at) => !tree.isLeaf(at), make: (tree, at) => ({ op: 'prune', node: tree.node[at] }) },
  { key: 'L', name: 'Lock', fits: (tree, at) => tree.above[at] >= 0 && !tree.lockedSet.has(tree.node[at]), make: (tree, at) => ({ op: 'lock', node: tree.node[at] }) },
  { key: 'L', name: 'Unlock', fits: (tree, at) => tree.lockedSet.has(tree.node[at]), make: (tree, at) => ({ op: 'unlock', node: tree.node[at] }) },
  { key: 'W', name: 'Grow again', fits: (tree, at) => !tree.isLeaf(at), make: () => 'regrow' },
];

/** Numbers and dates: their nodes have an order and cuts between them. */
const isScaled = (tree) => Boolean(tree.low);

const siblings = (tree, at) => (tree.above[at] < 0 ? [] : tree.children(tree.above[at]));

/** Moves the cut after a node by one leaf, starting from where a preview has it. */
export function cut(tree, at, by, draft) {
  const isDraft = draft?.op === 'move-cut' && draft.node === tree.node[at];
  const to = (isDraft ? draft.to : tree.end[at]) + by;
  return to > tree.start[at] && to < tree.end[tree.next(at)] ? { op: 'move-cut', node: tree.node[at], to } : draft ?? null;
}

function canCut(tree, at, by) {
  return isScaled(tree) && tree.next(at) != null && cut(tree, at, by) != null;
}

/** A range of more values is split at a value that is typed. */
const MOST_LISTED = 2000;

function Split({ tree, at, onMake, onClose }) {
  const isNumber = isScaled(tree);
  const leaves = Array.from({ length: Math.max(0, tree.end[at] - tree.start[at] - 1) }, (_, n) => tree.start[at] + n + 1);
  const labelOf = (one) => tree.label[tree.leafPlace(one)];
  const [leaf, setLeaf] = useState(leaves[Math.floor(leaves.length / 2)]);
  // A list of more values is slower to open and to search than typing one.
  const isTyped = leaves.length > MOST_LISTED;
  const [picked, setPicked] = useState(new Set());
  const [label, setLabel] = useState('');
  const toggle = (child) => {
    const next = new Set(picked);
    if (!next.delete(child)) next.add(child);
    setPicked(next);
  };
  const submit = (event) => {
    event.preventDefault();
    const labels = label ? { labels: [label] } : {};
    onMake(isNumber ? { op: 'split', node: tree.node[at], at: [leaf] } : { op: 'split', node: tree.node[at], at: [...picked].map((child) => tree.node[child]), ...labels });
  };
  return html`<${Dialog} title="Split ${tree.label[at]}" onClose=${onClose}><form onSubmit=${submit}><div class="pad form">
    ${isNumber && isTyped ? html`<label>A new node begins at<input class="field" autofocus defaultValue=${labelOf(leaf)} onInput=${(event) => setLeaf(leaves.find((one) => labelOf(one) === event.target.value.trim()))} /><span class="why">A value of the column after ${labelOf(tree.start[at])}, up to ${labelOf(tree.end[at] - 1)}.</span></label>`
      : isNumber ? html`<label>A new node begins at<select class="field" autofocus value=${leaf} onChange=${(event) => setLeaf(Number(event.target.value))}>${leaves.map((one) => html`<option key=${one} value=${one}>${labelOf(one)}</option>`)}</select></label>`
      : html`<fieldset><legend>These children get a node of their own</legend>${tree.children(at).map((child) => html`<label class="check" key=${child}><input type="checkbox" checked=${picked.has(child)} onChange=${() => toggle(child)} /> ${tree.label[child]} <span class="mute tiny">${count(tree.count[child])}</span></label>`)}</fieldset>
        <label>Name of the new node<input class="field" value=${label} onInput=${(event) => setLabel(event.target.value)} placeholder="made from its children" /></label>`}
  </div><footer class="row end pad"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn pri" disabled=${isNumber ? leaf == null : !picked.size}>See what changes</button></footer></form><//>`;
}

/** Chooses siblings that are merged, or that get a new parent together. */
function Siblings({ name, tree, at, onMake, onClose }) {
  const isMerge = name === 'merge';
  const [picked, setPicked] = useState(new Set([at]));
  const [label, setLabel] = useState('');
  const toggle = (one) => {
    const next = new Set(picked);
    if (!next.delete(one)) next.add(one);
    setPicked(next);
  };
  const submit = (event) => {
    event.preventDefault();
    const nodes = [...picked].sort((a, b) => a - b).map((one) => tree.node[one]);
    onMake({ op: name, nodes, ...(label && { label }) });
  };
  return html`<${Dialog} title=${isMerge ? `Merge ${tree.label[at]} with` : `Insert a node above ${tree.label[at]}`} onClose=${onClose}><form onSubmit=${submit}><div class="pad form">
    <fieldset class="choices"><legend>${isMerge ? 'These become one node' : 'These get the new node as their parent'}</legend>${siblings(tree, at).map((one) => html`<label class="check" key=${one}><input type="checkbox" checked=${picked.has(one)} onChange=${() => toggle(one)} /> ${tree.label[one]} <span class="mute tiny">${count(tree.count[one])}</span></label>`)}</fieldset>
    <label>Its name<input class="field" value=${label} onInput=${(event) => setLabel(event.target.value)} placeholder="made from its values" /></label>
  </div><footer class="row end pad"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn pri" disabled=${picked.size < (isMerge ? 2 : 1)}>See what changes</button></footer></form><//>`;
}

function Move({ tree, at, onMake, onClose }) {
  const [typed, setTyped] = useState('');
  const found = [];
  for (let place = 0; place < tree.size && found.length < 60; place += 1) {
    const isBelow = place >= at && place < tree.after[at];
    if (!isBelow && !tree.isLeaf(place) && place !== tree.above[at] && tree.label[place].toLowerCase().includes(typed.toLowerCase())) found.push(place);
  }
  return html`<${Dialog} title="Move ${tree.label[at]} below another node" onClose=${onClose}><div class="pad form">
    <label>Find the new parent<input class="field" autofocus value=${typed} onInput=${(event) => setTyped(event.target.value)} /></label>
    <ul class="files" aria-label="Nodes">${found.map((place) => html`<li key=${place}><button type="button" class="file-row" onClick=${() => onMake({ op: 'move', node: tree.node[at], to: tree.node[place] })}><b class="strong">${tree.label[place]}</b><span class="mute tiny">${tree.path(place).slice(0, -1).map((up) => tree.label[up]).join(' › ')}</span></button></li>`)}
      ${!found.length && html`<li class="mute pad">No other node has “${typed}” in its name.</li>`}</ul>
  </div><//>`;
}

function Regrow({ tree, at, suited, onMake, onClose }) {
  const methods = (store.methods?.hierarchy ?? []).filter((method) => suited.includes(method.name));
  const [name, setName] = useState(methods[0]?.name);
  const [entered, setEntered] = useState({});
  const method = methods.find((one) => one.name === name);
  const submit = (event) => {
    event.preventDefault();
    onMake({ op: 'regrow', node: tree.node[at], method: name, parameters: parametersOf(method, entered) });
  };
  return html`<${Dialog} title="Grow ${tree.label[at]} again" onClose=${onClose}><form onSubmit=${submit}><div class="pad form">
    <p class="mute small">What is below this node is replaced by what a method makes of its values; the rest stays.</p>
    <label>Method<select class="field" autofocus value=${name} onChange=${(event) => { setName(event.target.value); setEntered({}); }}>${methods.map((one) => html`<option key=${one.name} value=${one.name}>${one.name}</option>`)}</select></label>
    <${Parameters} method=${method} entered=${entered} onChange=${setEntered} />
  </div><footer class="row end pad"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn pri" disabled=${!method}>See what changes</button></footer></form><//>`;
}

/** The dialog that an operation needs; `onMake` gets the operation. */
export function Asking({ name, tree, at, suited, onMake, onClose }) {
  const made = (operation) => { onClose(); onMake(operation); };
  if (name === 'rename') {
    return html`<${Prompt} title="Rename ${tree.label[at]}" label="New name" value=${tree.label[at]} action="See what changes" why="This is what a release shows for records that are generalized to this node." onClose=${onClose}
      onDone=${(label) => made({ op: 'rename', node: tree.node[at], label })} />`;
  }
  const Asked = { split: Split, move: Move, regrow: Regrow, merge: Siblings, insert: Siblings }[name];
  return Asked ? html`<${Asked} name=${name} tree=${tree} at=${at} suited=${suited} onMake=${made} onClose=${onClose} />` : null;
}
