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

/** Number of runs of the open table that another table, or a job for another table, would drop. */
function dropped(name) {
  const { table, job, runs } = store.state ?? {};
  if (!table || name === table.path || name === job.path) return 0;
  return runs.filter((run) => ['done', 'running', 'queued'].includes(run.state)).length;
}

/** Results that were not exported are lost with the table, so the page asks first. */
function Sure({ asked, onOpen, onStay }) {
  return html`<div class="note warn" role="alert"><p class="strong">Opening ${asked.name} ${/\.toml$/i.test(asked.name) ? 'may drop' : 'drops'} ${many(asked.n, 'run')} of ${store.state.table.name}.</p><p>Its job file and its hierarchies stay; a release that was not exported is gone.</p>
    <p class="row"><button type="button" class="btn danger" onClick=${onOpen}>Open it and drop ${asked.n === 1 ? 'the run' : 'the runs'}</button><button type="button" class="btn" onClick=${onStay}>Stay here</button></p></div>`;
}

export function OpenTable({ bare = false, onOpen }) {
  const [opening, setOpening] = useState(null);
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState(null);
  const open = async (name, request, isSure = false) => {
    const n = dropped(name);
    if (n && !isSure) return setAsked({ name, n, request });
    setAsked(null);
    setOpening(name);
    setError(null);
    try {
      await request();
      touch(['table', 'job', 'hierarchies', 'runs']);
      await reloadState();
      go(address('table'));
      onOpen?.();
    } catch (caught) {
      setError(caught);
    }
    return setOpening(null);
  };
  const openPath = (path) => open(path, () => api.post('/api/table', { path }));
  const upload = (file) => file && open(file.name, () => api.post(`/api/table/upload?name=${encodeURIComponent(file.name)}`, file));
  const onDrop = (event) => {
    event.preventDefault();
    upload(event.dataTransfer.files[0]);
  };
  const content = html`
    ${error && html`<${Trouble} problem=${error} />`}
    ${asked && html`<${Sure} asked=${asked} onOpen=${() => open(asked.name, asked.request, true)} onStay=${() => setAsked(null)} />`}
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
