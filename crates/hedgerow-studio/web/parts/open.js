// Opening a table: from the start folder, or any file of this computer.
import { html, useState } from '../html.js';
import { api } from '../api.js';
import { reloadState, store, touch, useStore } from '../store.js';
import { address, go } from '../router.js';
import { Files } from './files.js';
import { Trouble, Working } from './messages.js';
import { many, percent } from '../format.js';

/** The progress of the server while it reads a table. */
function Opening({ name }) {
  const { progress } = useStore();
  const step = progress.opening;
  return html`<${Working}>Reading ${name}${step?.doing ? `: ${step.doing}` : ''}${step?.done != null ? `, ${percent(step.done, 0)}` : ''}<//>`;
}

/** Results that were not exported are lost with the table, so the page asks before the server drops them. */
export function Sure({ doing, action, n, onYes, onStay }) {
  return html`<div class="note warn" role="alert"><p class="strong">${doing} drops ${many(n, 'run')} of ${store.state.table.name}.</p><p>Its job file and its hierarchies stay; a release that was not exported is gone.</p>
    <p class="row"><button type="button" class="btn danger" onClick=${onYes}>${action} and drop ${n === 1 ? 'the run' : 'the runs'}</button><button type="button" class="btn" onClick=${onStay}>Stay here</button></p></div>`;
}

export function OpenTable({ bare = false, onOpen }) {
  const [opening, setOpening] = useState(null);
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState(null);
  const open = async (name, request, isSure = false) => {
    setAsked(null);
    setOpening(name);
    setError(null);
    try {
      await request(isSure);
      touch(['table', 'job', 'hierarchies', 'runs']);
      await reloadState();
      go(address('table'));
      onOpen?.();
    } catch (caught) {
      if (caught.runs) setAsked({ name, n: caught.runs, request });
      else setError(caught);
    }
    setOpening(null);
  };
  const openPath = (path) => open(path, (isSure) => api.post('/api/table', { path, drop_runs: isSure }));
  const upload = (file) => file && open(file.name, (isSure) => api.post(`/api/table/upload?name=${encodeURIComponent(file.name)}&drop_runs=${isSure}`, file));
  const onDrop = (event) => {
    event.preventDefault();
    upload(event.dataTransfer.files[0]);
  };
  const content = html`
    ${error && html`<${Trouble} problem=${error} />`}
    ${asked && html`<${Sure} doing="Opening ${asked.name}" action="Open it" n=${asked.n} onYes=${() => open(asked.name, asked.request, true)} onStay=${() => setAsked(null)} />`}
    ${opening ? html`<${Opening} name=${opening} />` : html`<${Files} kinds=${['table', 'job']} onPick=${openPath} />`}
    <div class="dropzone" onDragOver=${(event) => event.preventDefault()} onDrop=${onDrop}>
      <label class="btn">Choose a file from this computer
        <input class="visually" type="file" onChange=${(event) => upload(event.target.files[0])} /></label>
      <p class="mute small">CSV, TSV, Parquet, Excel or OpenDocument; or drop it here. A file from outside the start folder is copied to a temporary folder and removed when the server ends.</p>
    </div>`;
  if (bare) return content;
  return html`<section class="card narrow"><header><h1>Which table is to be published?</h1></header>
    <div class="pad stack"><p class="mute">Pick a table, or a job file to go on where you were. Nothing is changed or published until you export.</p>${content}</div></section>`;
}
