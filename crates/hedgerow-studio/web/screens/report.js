// The report of the chosen run, and export of everything that belongs to it.
import { html, useState, useEffect, useRef, useLayoutEffect } from '../html.js';
import { api } from '../api.js';
import { useApi } from '../store.js';
import { address, go } from '../router.js';
import { startRun } from '../commands.js';
import { useKeys } from '../keys.js';
import { Dialog } from '../parts/dialog.js';
import { Trouble, Working } from '../parts/messages.js';
import { Attacking, attack } from './run/attacks.js';
import { bytes } from '../format.js';

/** Elements that have no place in a report; the policy of the page blocks scripts anyway. */
const FORBIDDEN = 'script, style, link, iframe, object, embed, form, base, meta';

/** The parsed body of a report, without handlers, inline styles and anything active. */
function cleaned(markup) {
  const parsed = new DOMParser().parseFromString(markup, 'text/html');
  parsed.querySelectorAll(FORBIDDEN).forEach((element) => element.remove());
  for (const element of parsed.body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) {
      if (/^(on|style$|srcdoc$)/i.test(name)) element.removeAttribute(name);
    }
  }
  return [...parsed.body.childNodes];
}

/** The report below a shadow root, so that its rules and those of the page do not meet. */
function Page({ report }) {
  const place = useRef(null);
  useLayoutEffect(() => {
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    const sheet = document.createElement('link');
    Object.assign(sheet, { rel: 'stylesheet', href: report.stylesheet });
    const body = document.createElement('article');
    body.append(...cleaned(report.body));
    // A link to a part of the report: fragments do not reach into a shadow root.
    body.addEventListener('click', (event) => {
      const link = event.target.closest('a[href^="#"]');
      if (!link) return;
      event.preventDefault();
      root.getElementById(link.getAttribute('href').slice(1))?.scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    });
    root.replaceChildren(sheet, body);
  }, [report]);
  return html`<section class="paper" ref=${place} aria-label=${report.title}></section>`;
}

const PARTS = {
  release: ['Release', 'the table as it may be published'],
  report: ['Report, internal', 'with figures of the original, for those who decide'],
  report_public: ['Report, public', 'without what only you may know'],
  recipe: ['Recipe', 'applies the same rules to the next table'],
  hierarchies: ['Hierarchies', 'a folder with all of them'],
  job: ['Job file', 'repeats the run'],
};

/** Names of files, made from the name of the table. */
function proposals(name) {
  const stem = name.replace(/\.[^.]+$/, '').replace(/[^\w.-]+/g, '-') || 'table';
  return { release: `${stem}-release.csv`, report: `${stem}-report.html`, report_public: `${stem}-report-public.html`, recipe: `${stem}-recipe.json`, hierarchies: `${stem}-hierarchies`, job: `${stem}-release.job.toml` };
}

function Written({ exported }) {
  return html`<div class="stack"><p class="note ok" role="status">Written.</p><div class="scroll" tabindex="0" role="region" aria-label="Written files"><table class="small"><thead><tr><th>File</th><th class="r">Size</th><th>SHA-256</th></tr></thead><tbody>${exported.written.map((file) => html`<tr key=${file.path}><td><b>${file.path}</b></td><td class="r">${bytes(file.bytes)}</td><td><code title=${file.sha256}>${file.sha256.slice(0, 12)}…</code></td></tr>`)}</tbody></table></div>
    ${exported.warnings.map((text) => html`<p class="note warn" key=${text}>${text}</p>`)}
    <p class="small">The same bytes from the command line, in the start folder:</p><pre tabindex="0">${exported.command}</pre></div>`;
}

function Export({ run, table, onClose }) {
  const [paths, setPaths] = useState(proposals(table.name));
  const [isOn, setOn] = useState({ release: true, report: true, report_public: false, recipe: true, hierarchies: true, job: true });
  const [problem, setProblem] = useState(null);
  const [exported, setExported] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const exists = problem?.kind === 'exists';
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    const wanted = Object.fromEntries(Object.keys(PARTS).filter((part) => isOn[part] && paths[part]).map((part) => [part, paths[part]]));
    try {
      setExported(await api.post('/api/export', { run: run.id, ...wanted, ...(exists && { overwrite: true }) }));
      setProblem(null);
    } catch (caught) {
      setProblem(caught);
    }
    setBusy(false);
  };
  const set = (part, value) => { setPaths({ ...paths, [part]: value }); setProblem(null); };
  return html`<${Dialog} kind="wide" title="Export ${run.title}" onClose=${onClose} footer=${exported && html`<button type="button" class="btn pri" onClick=${onClose}>Done</button>`}>
    <form onSubmit=${submit}><div class="pad">
      ${exported ? html`<${Written} exported=${exported} />` : html`<p class="mute small">Files are written below the start folder. Nothing is replaced without asking.</p>
        ${Object.entries(PARTS).map(([part, [title, about]]) => html`<div class="export-row" key=${part}><label class="row"><input type="checkbox" checked=${isOn[part]} onChange=${() => { setOn({ ...isOn, [part]: !isOn[part] }); setProblem(null); }} /><span><b class="strong">${title}</b> <span class="mute tiny">${about}</span></span></label>
          <input class="field" aria-label="Path of ${title}" disabled=${!isOn[part]} value=${paths[part]} onInput=${(event) => set(part, event.target.value)} /></div>`)}
        ${problem && html`<${Trouble} problem=${problem}>${problem.existing?.length > 0 && html`<ul>${problem.existing.map((path) => html`<li key=${path}>${path}</li>`)}</ul>`}<//>`}
        <div class="row end"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn ${exists ? 'danger' : 'pri'}" disabled=${isBusy || !Object.values(isOn).some(Boolean)}>${isBusy ? 'Writing and verifying' : exists ? 'Yes, replace these files' : 'Export'}</button></div>`}
    </div></form><//>`;
}

/** Saves the whole page as a file of the browser. */
function save(report) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([report.html], { type: 'text/html' }));
  link.download = `report-${report.audience}.html`;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function ReportScreen({ route, state }) {
  const audience = route.query.audience === 'public' ? 'public' : 'internal';
  const run = state.runs.find((one) => one.id === state.chosen_run && one.state === 'done');
  const { data, error, isBusy, reload } = useApi(run ? `/api/runs/${run.id}/report?audience=${audience}` : null, ['runs']);
  const isExporting = route.query.export === 'new' && run;
  // A report has the findings of attacks, so opening one starts them.
  useEffect(() => { if (data?.attacks === 'none') attack(run.id); }, [run?.id, data == null]);
  const isWhole = data?.attacks === 'done';
  const to = (changes) => address('report', [], { ...route.query, ...changes });
  useKeys([{ key: 'E', about: 'Export', isOff: !run, run: () => go(to({ export: 'new' })) }]);
  if (!run) {
    return html`<main id="main" tabindex="-1"><h1 class="visually">Report</h1><section class="card"><div class="empty"><h2>No release to report on</h2><p>The report says what a release promises, what it lost and what can still be learned. Make a release first.</p>
      ${state.job.problems.length ? html`<a class="btn pri" href="/table">First decide all roles</a>` : html`<button type="button" class="btn pri" onClick=${() => startRun()}>Run with k = ${state.job.k}</button>`}</div></section></main>`;
  }
  return html`<main id="main" tabindex="-1" class="report" aria-busy=${isBusy}><h1 class="visually">Report</h1>
    <section class="card no-print"><header><h2>${run.title}</h2>${run.stale && html`<span class="pill warn">made with older settings</span>`}<a class="small" href="/compare">choose another run</a><span class="grow"></span>
      <span class="seg" role="group" aria-label="For whom">${['internal', 'public'].map((name) => html`<button key=${name} type="button" aria-pressed=${audience === name} onClick=${() => go(to({ audience: name }), true)}>${name === 'internal' ? 'Internal' : 'Public'}</button>`)}</span>
      <button type="button" class="btn slim" disabled=${!isWhole} onClick=${() => print()}>Print</button><button type="button" class="btn slim" disabled=${!isWhole} onClick=${() => save(data)}>Save page</button>
      <button type="button" class="btn pri slim" onClick=${() => go(to({ export: 'new' }))}>Export <kbd>E</kbd></button></header>
      <p class="pad mute small">${audience === 'internal' ? 'Internal: has figures of the original table, which are not for publication.' : 'Public: leaves out what only those with the original may know.'}</p></section>
    ${error && html`<${Trouble} problem=${error} onAgain=${reload} />`}
    ${!data && !error && html`<section class="card pad" aria-busy="true"><${Working}>Writing the report<//></section>`}
    ${data && !isWhole && html`<section class="card pad stack no-print"><p class="strong">What follows is complete but for the attempts to break the release.</p><${Attacking} run=${run.id} state=${data.attacks} /></section>`}
    ${data && html`<${Page} report=${data} />`}
    ${isExporting && html`<${Export} run=${run} table=${state.table} onClose=${() => go(to({ export: null }), true)} />`}
  </main>`;
}
