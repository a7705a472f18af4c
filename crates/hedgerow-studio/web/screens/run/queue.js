// Runs that are running, waiting or done.
import { html } from '../../html.js';
import { address } from '../../router.js';
import { cancelRun } from '../../commands.js';
import { Bar } from '../../parts/bars.js';
import { duration, percent } from '../../format.js';

const STATES = { queued: 'waiting', running: 'running', done: 'done', failed: 'failed', cancelled: 'cancelled' };

/** A run with its progress, and the button that ends it. */
export function Running({ run }) {
  return html`<div class="pad stack running"><div class="row"><b class="grow">${run.title}</b><span class="mute num small">${duration(run.seconds)}</span></div>
    ${run.state === 'running' && html`<${Bar} share=${run.done ?? 0} label="${percent(run.done ?? 0, 0)} of this stage" />`}
    <p class="mute small" role="status">${run.state === 'queued' ? 'Waiting for the run before it' : `${run.doing ?? run.stage ?? 'Starting'}${run.done != null ? `, ${percent(run.done, 0)}` : ''}`}</p>
    <div><button type="button" class="btn slim danger" onClick=${() => cancelRun(run.id)}>Cancel</button></div></div>`;
}

export function Queue({ runs, open, chosen }) {
  const active = runs.filter((run) => run.state === 'running' || run.state === 'queued');
  const ended = runs.filter((run) => !active.includes(run)).reverse();
  if (!runs.length) return null;
  return html`<section class="card flush" aria-labelledby="queue"><header><h2 id="queue">Runs</h2><span class="grow"></span>${ended.length > 1 && html`<a class="small" href="/compare">Compare</a>`}</header>
    ${active.map((run) => html`<${Running} key=${run.id} run=${run} />`)}
    <ul class="runs">${ended.map((run) => html`<li key=${run.id}><a href=${address('release', [], { run: run.id })} aria-current=${run.id === open ? 'page' : null}>
      <span class="who"><b>${run.title}</b><span class="tiny mute">${run.state === 'done' ? `${percent(run.loss)} lost · average risk ${percent(run.average_risk)}` : STATES[run.state]}</span></span>
      ${run.id === chosen && html`<span class="pill ok">chosen</span>`}${run.stale && run.state === 'done' && html`<span class="pill warn">older settings</span>`}${run.state === 'failed' && html`<span class="pill bad">failed</span>`}</a>
      <button type="button" class="btn slim ghost" aria-label="Remove ${run.title}" title="Remove from the list" onClick=${() => cancelRun(run.id)}>Remove</button></li>`)}</ul></section>`;
}
