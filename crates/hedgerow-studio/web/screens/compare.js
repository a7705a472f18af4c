// Comparison of runs: the cost of more privacy, and the runs that are worth having.
import { html, useState } from '../html.js';
import { api } from '../api.js';
import { act, tell, useApi, useStore } from '../store.js';
import { address, go } from '../router.js';
import { useKeys } from '../keys.js';
import { chooseRun } from '../commands.js';
import { Dialog } from '../parts/dialog.js';
import { Picture } from '../parts/picture.js';
import { Term } from '../parts/term.js';
import { Trouble, Working } from '../parts/messages.js';
import { Running } from './run/queue.js';
import { ColumnsSeen, Figures, OnlyMeasured } from './run/overview.js';
import { count, duration, many, percent } from '../format.js';

const USUAL = ['hedge', 'mondrian', 'k-member'];

/** Numbers in a text such as `2, 5, 10`. */
const numbers = (text) => [...new Set(text.split(/[^\d]+/).filter(Boolean).map(Number).filter((n) => n >= 1))];

function Choices({ name, options, picked, onChange }) {
  const toggle = (one) => onChange(picked.includes(one) ? picked.filter((other) => other !== one) : [...picked, one]);
  return html`<fieldset class="choices"><legend>${name}</legend>${options.map((option) => html`<label class="check" key=${option.name}><input type="checkbox" checked=${picked.includes(option.name)} onChange=${() => toggle(option.name)} /><span>${option.name} <span class="why">${option.about}</span></span></label>`)}</fieldset>`;
}

function Sweep({ job, onClose }) {
  const registry = useStore().methods;
  const methods = registry?.method ?? [];
  // Methods that need a file or another parameter are grown as candidates instead.
  const grown = (registry?.hierarchy ?? []).filter((one) => one.name !== 'auto' && !one.parameters.some((parameter) => parameter.required));
  const [ks, setKs] = useState('2, 5, 10, 20');
  const [chosen, setPicked] = useState(null);
  const picked = chosen ?? USUAL.filter((name) => methods.some((method) => method.name === name)).slice(0, 2);
  const [hierarchies, setHierarchies] = useState(['chosen']);
  const [isBusy, setBusy] = useState(false);
  const n = numbers(ks).length * picked.length * hierarchies.length;
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    const started = await act(api.post('/api/runs', { kind: 'sweep', ks: numbers(ks), methods: picked, hierarchies }));
    setBusy(false);
    if (started) {
      tell(`${many(started.runs.length, 'run')} queued.`);
      onClose();
    }
  };
  return html`<${Dialog} title="A sweep of runs" kind="wide" onClose=${onClose}><form onSubmit=${submit}><div class="pad form">
    <label>k, several<input class="field" autofocus value=${ks} onInput=${(event) => setKs(event.target.value)} /><span class="why">Everyone is one of at least k. The job asks for ${job.k}.</span></label>
    <div class="two-fields"><${Choices} name="Methods" options=${methods} picked=${picked} onChange=${setPicked} />
      <${Choices} name="Hierarchies" options=${[{ name: 'chosen', about: 'those that you chose' }, { name: 'auto', about: 'each run chooses' }, ...grown]} picked=${hierarchies} onChange=${setHierarchies} /></div>
  </div><footer class="row end pad"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn pri" disabled=${!n || isBusy}>Queue ${many(n, 'run')}</button></footer></form><//>`;
}

function Table({ rows, open, marked, runs, onOpen, onMark }) {
  const title = (row) => runs.find((run) => run.id === row.run)?.title ?? row.method;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Runs, can be scrolled"><table class="small"><thead><tr><th><span class="visually">Compare</span></th><th>Method</th><th class="r">k</th><th class="r">Loss</th><th class="r"><${Term} word="average risk" about="The mean over all records of one divided by the size of their class.">Avg risk<//></th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.run} class="pick ${row.run === open ? 'on' : ''}" onClick=${() => onOpen(row.run)}>
      <td><input type="checkbox" aria-label="Compare ${title(row)}" checked=${marked.includes(row.run)} onClick=${(event) => event.stopPropagation()} onChange=${() => onMark(row.run)} /></td>
      <td><button type="button" class="link plain" onClick=${(event) => { event.stopPropagation(); onOpen(row.run); }}><b>${row.method}</b></button> <span class="mute tiny">${row.hierarchies}, ${duration(row.seconds)}</span>${row.on_front && html` <span class="pill ok">front</span>`}${row.impossible && html` <span class="pill bad" title=${row.impossible}>not reached</span>`}</td>
      <td class="r">${row.k}</td><td class="r">${percent(row.loss)}</td><td class="r">${percent(row.average_risk)}</td></tr>`)}</tbody></table></div>`;
}

function OneRun({ id, state }) {
  const brief = state.runs.find((run) => run.id === id);
  const { data, error } = useApi(brief?.state === 'done' ? `/api/runs/${id}` : null);
  if (error) return html`<${Trouble} problem=${error} />`;
  if (!data) return brief ? html`<section class="card pad" aria-busy="true"><${Working}>Reading what the run found<//></section>` : null;
  const isChosen = state.chosen_run === id;
  return html`<section class="card" aria-labelledby="one"><header><h2 id="one">${brief.title}</h2>${data.verified && html`<span class="pill ok">verified: ${data.verified}</span>`}<span class="grow"></span>
      ${isChosen ? html`<span class="pill">chosen for report and export</span>` : data.columns.length > 0 && html`<button type="button" class="btn slim pri" onClick=${() => chooseRun(id)}>Choose this one</button>`}<a class="btn slim" href=${address('release', [], { run: id })}>Details</a></header>
    <${Figures} figures=${data.figures} />${data.columns.length ? html`<${ColumnsSeen} columns=${data.columns} />` : html`<${OnlyMeasured} brief=${brief} />`}</section>`;
}

export function CompareScreen({ route, state }) {
  useStore();
  const isSweeping = route.query.sweep === 'new';
  const wanted = numbers(route.query.runs ?? '');
  const done = state.runs.filter((run) => run.state === 'done');
  const active = state.runs.filter((run) => run.state === 'running' || run.state === 'queued');
  const suffix = wanted.length ? `?runs=${wanted.join(',')}` : '';
  const { data, error, isBusy, reload } = useApi(done.length ? `/api/compare${suffix}` : null, ['runs']);
  const [last, setLast] = useState(null);
  if (data && data !== last) setLast(data);
  const shown = done.length ? data ?? last : null;
  const [marked, setMarked] = useState(wanted);
  const open = Number(route.query.open ?? NaN) || shown?.best || state.chosen_run;
  const to = (changes) => address('compare', [], { ...route.query, ...changes });
  const pick = (run) => go(to({ open: run }), true);
  // Points say in their titles which run they are.
  const pickPoint = (title) => {
    const found = shown.rows.find((row) => title.startsWith(`${row.method}, ${row.hierarchies}, k = ${row.k}:`));
    if (found) pick(found.run);
  };
  const mark = (run) => setMarked(marked.includes(run) ? marked.filter((one) => one !== run) : [...marked, run]);
  const sweep = () => go(to({ sweep: 'new' }));
  useKeys([{ key: 'N', about: 'A sweep of runs', run: sweep }]);
  return html`<main id="main" tabindex="-1" class="two">
    <div class="column"><h1 class="visually">Compare</h1>
      ${error && html`<${Trouble} problem=${error} onAgain=${reload} />`}
      ${!done.length && html`<section class="card"><div class="empty"><h2>Nothing to compare yet</h2><p>A sweep makes releases for several k and methods, so that you see what more privacy costs and which method loses least on your table.</p>
        ${state.job.problems.length ? html`<a class="btn pri" href="/table">First decide all roles</a>` : html`<button type="button" class="btn pri" onClick=${sweep}>Start a sweep</button>`}</div></section>`}
      ${shown && html`<section class="card charts" aria-label="Charts" aria-busy=${isBusy}><figure><figcaption><h2>What more privacy costs</h2><p class="mute small">Loss (NTIL) against k, with the same roles</p></figcaption><${Picture} svg=${shown.loss_by_k} label="Loss against k; the table lists the same figures" onPick=${pickPoint} kind="pickable" /></figure>
        <figure><figcaption><h2>Every run, and the ones worth having</h2><p class="mute small">Average risk against loss; those on the line are on the <${Term} word="Pareto front" about="Runs that no other run beats in both risk and loss.">Pareto front<//></p></figcaption><${Picture} svg=${shown.risk_by_loss} label="Average risk against loss; the table lists the same figures" onPick=${pickPoint} kind="pickable" /></figure>
        ${shown.why && html`<p class="pad mute small wide">${shown.why}</p>`}</section>`}
      ${open && html`<${OneRun} key=${open} id=${open} state=${state} />`}
    </div>
    <aside class="column" aria-label="Runs">
      ${active.length > 0 && html`<section class="card flush"><header><h2>${many(active.length, 'run')} to go</h2></header>${active.slice(0, 4).map((run) => html`<${Running} key=${run.id} run=${run} />`)}${active.length > 4 && html`<p class="pad mute small">and ${count(active.length - 4)} more</p>`}</section>`}
      <section class="card flush" aria-labelledby="runs"><header><h2 id="runs">Runs</h2><span class="grow"></span><button type="button" class="btn slim" onClick=${sweep}>New sweep <kbd>N</kbd></button></header>
        ${shown ? html`<${Table} rows=${shown.rows} open=${open} marked=${marked} runs=${state.runs} onOpen=${pick} onMark=${mark} />` : html`<p class="pad mute small">Runs that are done appear here.</p>`}
        <div class="pad stack">${wanted.length > 0 && html`<a class="btn block" href=${to({ runs: null })}>Show all runs</a>`}
          <a class="btn block" aria-disabled=${marked.length < 2} href=${marked.length < 2 ? to({}) : to({ runs: marked.join(',') })}>Compare ${marked.length < 2 ? 'at least two' : marked.length}</a>
          ${done.length > 0 && html`<a class="btn pri block" href=${address('report', [], { export: 'new' })}>Export release, report, job file</a>`}</div></section>
    </aside>
    ${isSweeping && html`<${Sweep} job=${state.job} onClose=${() => go(to({ sweep: null }), true)} />`}
  </main>`;
}
