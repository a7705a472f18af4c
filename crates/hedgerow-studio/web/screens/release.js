// The release: start runs, follow and cancel them, and see their results.
import { html, useState, useEffect } from '../html.js';
import { api } from '../api.js';
import { store, useApi, useStore, changeJob } from '../store.js';
import { address, useControl } from '../router.js';
import { useKeys } from '../keys.js';
import { cancelRun, chooseRun, startRun } from '../commands.js';
import { Parameters, parametersOf } from '../parts/form.js';
import { Trouble, Working } from '../parts/messages.js';
import { Queue } from './run/queue.js';
import { Overview } from './run/overview.js';
import { Sides } from './run/sides.js';
import { Classes } from './run/classes.js';
import { Attacks } from './run/attacks.js';
import { count, many, percent } from '../format.js';

const VIEWS = { columns: 'What can be seen', records: 'Records', classes: 'Classes', risk: 'Risk and attacks' };

/** The job's method with its parameters, and the button that starts it. */
function Start({ job }) {
  const [isOpen, setOpen] = useState(false);
  const control = useControl('method');
  const methods = store.methods?.method ?? [];
  const method = methods.find((one) => one.name === job.method.name);
  const [entered, setEntered] = useState(job.method.parameters ?? {});
  useEffect(() => setEntered(job.method.parameters ?? {}), [job.method.text]);
  const names = [...new Set(['auto', ...methods.map((one) => one.name)])];
  const run = async () => {
    const parameters = method ? parametersOf(method, entered) : {};
    if (JSON.stringify(parameters) !== JSON.stringify(job.method.parameters ?? {})) {
      if (!await changeJob({ method: { name: job.method.name, parameters } })) return;
    }
    await startRun();
  };
  const canRun = !job.problems.length;
  useKeys([{ key: 'N', about: 'Make a release', run, isOff: !canRun }]);
  return html`<section class="card pad stack" aria-labelledby="start"><h2 id="start">Make a release</h2>
    <p class="mute small">k = ${job.k}${job.suppress > 0 ? `, at most ${percent(job.suppress)} suppressed` : ', nothing suppressed'}${job.privacy.length ? `, ${job.privacy.map((model) => model.text).join(', ')}` : ''}. <a href="/table">Change</a></p>
    <div class="form"><label>Method<select class="field" ref=${control} value=${job.method.name} onChange=${(event) => changeJob({ method: { name: event.target.value } })}>${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select>
      <span class="why">${method?.about ?? (job.method.name === 'auto' ? 'tries the methods that suit the table on a sample and keeps the one that loses least' : '')}</span></label>
      ${method?.parameters.length > 0 && html`<button type="button" class="btn slim" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${many(method.parameters.length, 'parameter')}</button>`}
      ${isOpen && html`<${Parameters} method=${{ ...method, about: null }} entered=${entered} onChange=${setEntered} columns=${Object.keys(job.roles)} />`}</div>
    ${!canRun && html`<div class="note warn"><p class="strong">It cannot run yet</p>${job.problems.slice(0, 4).map((text) => html`<p key=${text}>${text}</p>`)}${job.problems.length > 4 && html`<p>and ${count(job.problems.length - 4)} more</p>`}<p><a href="/table">To the table</a></p></div>`}
    <button type="button" class="btn pri block" disabled=${!canRun} onClick=${run}>Run <kbd>N</kbd></button>
    <p class="mute small">Nothing is written: a release becomes a file when you export it.</p></section>`;
}

function Empty({ job }) {
  return html`<section class="card"><div class="empty"><h1>No release yet</h1><p>A run generalizes the quasi-identifiers until everyone is one of at least ${job.k}, counts again, and shows what was lost and what an attacker could still learn. The table itself stays as it is.</p>
    ${job.problems.length ? html`<a class="btn pri" href="/table">First decide all roles</a>` : html`<button type="button" class="btn pri" onClick=${() => startRun()}>Run with k = ${job.k}</button>`}</div></section>`;
}

function Failed({ brief }) {
  return html`<section class="card pad stack"><h2>${brief.title}</h2>${brief.state === 'cancelled' ? html`<p class="note">This run was cancelled after ${brief.seconds.toFixed(1)} s; nothing was written.</p>` : html`<${Trouble} problem=${brief.error ?? { message: 'The run failed.' }} />`}</section>`;
}

function Waiting({ brief }) {
  return html`<section class="card pad stack"><h2>${brief.title}</h2><${Working}>${brief.state === 'queued' ? 'Waiting for the runs before it' : brief.doing ?? brief.stage ?? 'Starting'}<//>
    <div><button type="button" class="btn danger" onClick=${() => cancelRun(brief.id)}>Cancel</button></div></section>`;
}

function Done({ brief, view, run, query, isChosen }) {
  const at = (name) => address('release', [], { ...query, run: brief.id, view: name });
  return html`<${Overview} run=${run} brief=${brief} isChosen=${isChosen} onChoose=${() => chooseRun(brief.id)}>
    <nav class="tabs" aria-label="About this release">${Object.entries(VIEWS).map(([name, title]) => html`<a key=${name} href=${at(name)} aria-current=${view === name ? 'page' : null}>${title}</a>`)}</nav>
    ${view === 'records' && html`<${Sides} run=${brief.id} />`}
    ${view === 'classes' && html`<${Classes} run=${brief.id} />`}
    ${view === 'risk' && html`<${Attacks} run=${brief.id} />`}
  <//>`;
}

export function ReleaseScreen({ route, state }) {
  useStore();
  const wanted = route.query.run == null ? null : Number(route.query.run);
  const open = state.runs.filter((run) => run.state === 'running' || run.state === 'queued');
  const brief = state.runs.find((run) => run.id === wanted) ?? state.runs.find((run) => run.id === state.chosen_run) ?? state.runs[state.runs.length - 1];
  const run = useApi(brief?.state === 'done' ? `/api/runs/${brief.id}` : null, ['runs'], api.get);
  const view = route.query.view in VIEWS ? route.query.view : 'columns';
  useKeys([{ key: 'Escape', about: 'Cancel the run', isOff: !open.some((one) => one.state === 'running'), run: () => cancelRun(open.find((one) => one.state === 'running').id) }]);
  return html`<main id="main" tabindex="-1" class="two">
    <div class="column" aria-busy=${brief?.state === 'done' && run.isBusy}><h1 class="visually">Release</h1>
      ${!brief && html`<${Empty} job=${state.job} />`}
      ${wanted != null && brief && brief.id !== wanted && html`<p class="note warn">There is no run ${count(wanted)} any more; this is another one.</p>`}
      ${brief && (brief.state === 'failed' || brief.state === 'cancelled') && html`<${Failed} brief=${brief} />`}
      ${brief && (brief.state === 'running' || brief.state === 'queued') && html`<${Waiting} brief=${brief} />`}
      ${run.error && html`<${Trouble} problem=${run.error} onAgain=${run.reload} />`}
      ${brief?.state === 'done' && !run.data && !run.error && html`<section class="card pad" aria-busy="true"><${Working}>Reading what the run found<//></section>`}
      ${brief?.state === 'done' && run.data && html`<${Done} brief=${brief} run=${run.data} view=${view} query=${route.query} isChosen=${state.chosen_run === brief.id} />`}
    </div>
    <aside class="column" aria-label="Runs"><${Start} job=${state.job} /><${Queue} runs=${state.runs} open=${brief?.id} chosen=${state.chosen_run} /></aside>
  </main>`;
}
