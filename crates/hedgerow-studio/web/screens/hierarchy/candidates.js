// The candidates of a column as tabs, and the dialogs that grow, open and save them.
import { html, useState } from '../../html.js';
import { api, hierarchyPath } from '../../api.js';
import { act, store, tell, touch } from '../../store.js';
import { address, go } from '../../router.js';
import { Dialog } from '../../parts/dialog.js';
import { Files } from '../../parts/files.js';
import { Parameters, parametersOf } from '../../parts/form.js';
import { Trouble, Working } from '../../parts/messages.js';
import { count, loss } from '../../format.js';

/** Number of tabs that fit; the ranking lists the other candidates. */
const MOST_TABS = 12;

/** Candidates that are shown as tabs: the best, and the one that is open or chosen. */
function tabs(candidates, open) {
  const first = candidates.slice(0, MOST_TABS);
  return [...first, ...candidates.slice(MOST_TABS).filter((candidate) => candidate.id === open || candidate.chosen)];
}

export function Candidates({ column, open, view, onGrow }) {
  const shown = tabs(column.candidates, open);
  const left = column.candidates.length - shown.length;
  return html`<nav class="cands" aria-label="Candidates of ${column.column}">
    ${shown.map((candidate) => html`<a key=${candidate.id} class="cand" href=${address('hierarchies', [column.column, candidate.id], { view })} aria-current=${candidate.id === open ? 'page' : null}
        title=${candidate.problem ?? candidate.why ?? candidate.method}><b>${candidate.name}${candidate.edits ? ` +${candidate.edits}` : ''}</b><span>${candidate.problem ? 'cannot be used' : loss(candidate.loss)}${candidate.chosen ? ' · used' : ''}</span></a>`)}
    ${left > 0 && html`<span class="cand add">${count(left)} more in the ranking</span>`}
    <button type="button" class="cand add" onClick=${onGrow}>+ grow or open</button>
  </nav>`;
}

/** Grows by a method of the registry, by all that fit, or opens a file. */
export function Grow({ column, onClose }) {
  const methods = store.methods?.hierarchy ?? [];
  const suited = methods.filter((method) => column.suited.includes(method.name));
  const others = methods.filter((method) => !column.suited.includes(method.name));
  const [name, setName] = useState(suited[0]?.name ?? methods[0]?.name);
  const [entered, setEntered] = useState({});
  const [isOpening, setOpening] = useState(false);
  const [format, setFormat] = useState('');
  const [busy, setBusy] = useState(null);
  const [error, setError] = useState(null);
  const method = methods.find((one) => one.name === name);
  const send = async (request, what) => {
    setBusy(what);
    setError(null);
    try {
      const before = new Set(column.candidates.map((candidate) => candidate.id));
      const grown = await api.post(hierarchyPath(column.column), request);
      const fresh = grown.candidates.find((candidate) => !before.has(candidate.id));
      if (fresh) store.awaited = fresh.id;
      touch(['hierarchies']);
      if (fresh) go(address('hierarchies', [column.column, fresh.id]));
      onClose();
    } catch (problem) {
      setError(problem);
    }
    setBusy(null);
  };
  const submit = (event) => {
    event.preventDefault();
    send({ action: 'grow', method: name, parameters: parametersOf(method, entered) }, `Growing with ${name}`);
  };
  const option = (one) => html`<option key=${one.name} value=${one.name}>${one.name}</option>`;
  return html`<${Dialog} title="Another hierarchy for ${column.column}" onClose=${onClose}><div class="pad">
    <span class="seg" role="group" aria-label="How"><button type="button" aria-pressed=${!isOpening} onClick=${() => setOpening(false)}>Grow</button><button type="button" aria-pressed=${isOpening} onClick=${() => setOpening(true)}>Open a file</button></span>
    ${error && html`<${Trouble} problem=${error} />`}
    ${busy && html`<${Working}>${busy}<//>`}
    ${isOpening ? html`<div class="form"><label>Format<select class="field" value=${format} onChange=${(event) => setFormat(event.target.value)}><option value="">by its name and content</option>${(store.methods?.format ?? []).map(option)}</select></label>
        <${Files} kinds=${['hierarchy', 'other', 'table']} onPick=${(path) => send({ action: 'open', path, ...(format && { format }) }, `Opening ${path}`)} /></div>`
      : html`<form class="form" onSubmit=${submit}>
        <label>Method<select class="field" value=${name} onChange=${(event) => { setName(event.target.value); setEntered({}); }}><optgroup label="Fit this column">${suited.map(option)}</optgroup><optgroup label="Others">${others.map(option)}</optgroup></select></label>
        <${Parameters} method=${method} entered=${entered} onChange=${setEntered} columns=${Object.keys(store.state.job.roles)} />
        <div class="row wrap end">
          ${column.kind === 'text' && html`<button type="button" class="btn" disabled=${busy} onClick=${() => send({ action: 'candidates', most: 100 }, 'Growing every adjusted hierarchy of concepts')}>Up to 100 of concepts, to rank</button>`}
          <button type="button" class="btn" disabled=${busy} onClick=${() => send({ action: 'suited' }, 'Growing all that fit')}>All that fit</button>
          <button class="btn pri" disabled=${busy || !method}>Grow</button></div></form>`}
  </div><//>`;
}

export function Save({ column, candidate, onClose }) {
  const formats = store.methods?.format ?? [];
  const [path, setPath] = useState(`${column.replace(/[^\w.-]+/g, '-')}.json`);
  const [format, setFormat] = useState('');
  const [problem, setProblem] = useState(null);
  const exists = problem?.kind === 'exists';
  const submit = async (event) => {
    event.preventDefault();
    try {
      const written = await api.post(hierarchyPath(column, candidate, '/save'), { path, ...(format && { format }), ...(exists && { overwrite: true }) });
      tell(`Written: ${written.path}`);
      onClose();
    } catch (caught) {
      setProblem(caught);
    }
  };
  return html`<${Dialog} title="Save this hierarchy" onClose=${onClose}><form onSubmit=${submit}><div class="pad form">
    <label>File below the start folder<input class="field" autofocus value=${path} onInput=${(event) => { setPath(event.target.value); setProblem(null); }} /></label>
    <label>Format<select class="field" value=${format} onChange=${(event) => setFormat(event.target.value)}><option value="">by the ending of the name</option>${formats.map((one) => html`<option key=${one.name} value=${one.name}>${one.name}</option>`)}</select>
      <span class="why">${formats.find((one) => one.name === format)?.about}</span></label>
    ${problem && html`<${Trouble} problem=${problem} />`}
  </div><footer class="row end pad"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn ${exists ? 'danger' : 'pri'}">${exists ? 'Replace the file' : 'Save'}</button></footer></form><//>`;
}

/** Makes a candidate the one that releases use, or removes it from the list. */
export const choose = async (column, candidate) => {
  if (await act(api.put(hierarchyPath(column), { candidate }))) {
    tell(candidate ? `Releases use ${candidate} for ${column}.` : `The run chooses the hierarchy of ${column}.`);
    touch(['hierarchies', 'job']);
  }
};

export const discard = async (column, candidate) => {
  if (await act(api.delete(hierarchyPath(column, candidate)))) {
    touch(['hierarchies']);
    go(address('hierarchies', [column]));
  }
};
