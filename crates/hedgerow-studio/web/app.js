// The page: the bar with the five steps, the screen of the address, and parts that always show.
import { html, render, useEffect, useRef } from './html.js';
import { api, takeToken } from './api.js';
import { useStore, update, reloadState, follow } from './store.js';
import { useRoute, address } from './router.js';
import { useKeys, allKeys } from './keys.js';
import { command, isDark, openCandidate, step, switchTheme } from './commands.js';
import { count, many } from './format.js';
import { Messages, Trouble } from './parts/messages.js';
import { Palette } from './parts/palette.js';
import { Dialog } from './parts/dialog.js';
import { JobFile } from './parts/job.js';
import { OpenTable } from './parts/open.js';
import { Stale } from './parts/stale.js';
import { TableScreen } from './screens/table.js';
import { HierarchiesScreen } from './screens/hierarchies.js';
import { ReleaseScreen } from './screens/release.js';
import { CompareScreen } from './screens/compare.js';
import { ReportScreen } from './screens/report.js';

const SCREENS = {
  table: ['Table', TableScreen],
  hierarchies: ['Hierarchies', HierarchiesScreen],
  release: ['Release', ReleaseScreen],
  compare: ['Compare', CompareScreen],
  report: ['Report', ReportScreen],
};

const Logo = () => html`<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><rect x="1" y="12" width="20" height="8" rx="3" /><circle cx="5.5" cy="10.5" r="4" /><circle cx="11" cy="7.5" r="5" /><circle cx="16.6" cy="10" r="4.1" /><path d="M5 20v-5M11 20v-8M17 20v-5" /></svg>`;

/** The text next to the name of a step, with its CSS class; null if there is none. */
function badge(name, state) {
  const roles = Object.values(state.job.roles ?? {});
  const quasi = roles.filter((role) => role === 'quasi').length;
  const done = state.runs.filter((run) => run.state === 'done');
  const open = state.runs.filter((run) => run.state === 'running' || run.state === 'queued').length;
  if (name === 'table' && quasi) return [`${quasi} quasi`, ''];
  if (name === 'hierarchies' && quasi) {
    const grown = Object.keys(state.job.hierarchy ?? {}).filter((column) => state.job.roles[column] === 'quasi').length;
    return [`${grown} of ${quasi}`, grown === quasi ? 'ok' : ''];
  }
  const chosen = done.find((run) => run.id === state.chosen_run);
  if (name === 'release' && open) return [`${open} running`, 'blue'];
  if (name === 'release' && chosen) return [chosen.stale ? 'out of date' : `k = ${chosen.k} holds`, chosen.stale ? 'warn' : 'ok'];
  if (name === 'compare' && done.length > 1) return [`${done.length} runs`, ''];
  return null;
}

function Top({ screen, state }) {
  const candidate = openCandidate();
  return html`<header class="top">
    <a class="brand" href="/table" aria-label="hedgerow, to the table"><${Logo} /><span>hedgerow</span></a>
    ${state?.table && html`<button type="button" class="file btn ghost" title="Open another table" onClick=${() => update({ dialog: 'open' })}><b>${state.table.name}</b><span class="wide-only"> · ${count(state.table.rows)} × ${state.table.columns}</span></button>`}
    <nav class="steps" aria-label="Steps">
      ${Object.entries(SCREENS).map(([name, [title]]) => {
        const said = state && badge(name, state);
        return html`<a key=${name} href=${address(name)} aria-current=${screen === name ? 'page' : null}>${title}${said && html`<span class="pill ${said[1]}">${said[0]}</span>`}</a>`;
      })}
    </nav>
    <span class="tools">
      ${candidate && html`<button type="button" class="btn ghost slim" title="Undo (Ctrl Z)" onClick=${() => step('undo')}>Undo</button>
        <button type="button" class="btn ghost slim" title="Redo (Ctrl Y)" onClick=${() => step('redo')}>Redo</button>`}
      <button type="button" class="btn slim" onClick=${() => update({ dialog: 'search' })}>Search <kbd class="wide-only">Ctrl K</kbd></button>
    </span>
  </header>`;
}

function Status({ state, isOnline }) {
  const open = state?.runs.filter((run) => run.state === 'running').length ?? 0;
  const queued = state?.runs.filter((run) => run.state === 'queued').length ?? 0;
  return html`<footer class="status">
    <span><span class="lamp ${isOnline ? '' : 'off'}"></span>${isOnline ? '127.0.0.1 only; nothing leaves this machine' : 'The server does not answer; trying again'}</span>
    ${state?.job.path && html`<button type="button" class="link" onClick=${() => update({ dialog: 'job' })}>${state.job.path}${state.job.unsaved ? ` cannot be saved: ${state.job.unsaved}` : state.job.saved ? ' saved' : ' not saved yet'}</button>`}
    ${open + queued > 0 && html`<span>${many(open, 'run')} running, ${count(queued)} queued</span>`}
    <span class="grow"></span>
    <button type="button" class="link" onClick=${switchTheme}>${isDark() ? 'Light' : 'Dark'}</button>
    <button type="button" class="link" onClick=${() => update({ dialog: 'keys' })}><kbd>?</kbd> keys</button>
    ${state && html`<span>hedgerow ${state.version}</span>`}
  </footer>`;
}

function Keys({ onClose }) {
  return html`<${Dialog} title="Keys" onClose=${onClose}><div class="pad"><dl class="keys">
    ${allKeys().map(({ key, about }) => html`<dt key=${`k${about}`}>${[key].flat().map((one) => html`<kbd key=${one}>${one}</kbd> `)}</dt><dd key=${`d${about}`}>${about}</dd>`)}
  </dl><p class="mute small">Tab walks through everything, arrows choose inside a switch, a tree or a tab list, Esc closes.</p></div><//>`;
}

function NoToken() {
  return html`<main id="main" tabindex="-1"><section class="card"><div class="empty"><h1>This page needs the address with its key</h1>
    <p>The command <code>hedgerow studio</code> prints an address that ends in <code>#token=…</code>. Open that one: it shows that you are the person who started the server. The key changes with every start.</p></div></section></main>`;
}

/** A screen that fails says so and leaves the rest of the page alone. */
function Screen({ screen, state, route }) {
  const Shown = SCREENS[screen][1];
  if (!state) return html`<main id="main" tabindex="-1" aria-busy="true"><p class="working" role="status">Asking the server what is open</p></main>`;
  if (!state.table) return html`<main id="main" tabindex="-1"><${OpenTable} /></main>`;
  return html`<${Shown} key=${screen} route=${route} state=${state} />`;
}

/** A job file that was written by hand can have errors; it is corrected in place. */
function BadJob({ problem }) {
  return html`<div class="banner"><${Trouble} problem=${problem}><p><button type="button" class="link" onClick=${() => update({ dialog: 'job' })}>Edit the job file</button></p><//></div>`;
}

function App() {
  const shared = useStore();
  const route = useRoute();
  const { state, dialog } = shared;
  const close = () => update({ dialog: null });
  const first = useRef(true);
  useEffect(() => {
    document.title = `${SCREENS[route.screen][0]} · hedgerow`;
    const isFirst = first.current;
    first.current = false;
    // A control that the address names has the focus already.
    if (route.query.control) return;
    if (!isFirst) document.getElementById('main')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [route.screen]);
  useKeys([
    { key: 'Ctrl K', about: 'Search columns, values, nodes, commands and keys', run: () => update({ dialog: 'search' }) },
    { key: '?', about: 'List all keys', run: () => update({ dialog: 'keys' }) },
    ...Object.entries(SCREENS).map(([name, [title]], index) => ({ key: String(index + 1), about: `Go to ${title}`, run: () => command(name) })),
    { key: 'Ctrl Z', about: 'Undo the last edit of the hierarchy', isOff: route.screen !== 'hierarchies', run: () => step('undo') },
    { key: ['Ctrl Y', 'Ctrl Shift Z'], about: 'Redo', isOff: route.screen !== 'hierarchies', run: () => step('redo') },
    { key: 'T', about: 'Switch between light and dark', run: switchTheme },
  ]);
  return html`<a class="skip btn" href="#main" onClick=${(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>To the content</a>
    <${Top} screen=${route.screen} state=${state} />
    ${state?.table?.stale && html`<${Stale} table=${state.table} />`}
    ${state?.job_problem && html`<${BadJob} problem=${state.job_problem} />`}
    ${shared.hasToken ? html`<${Screen} screen=${route.screen} state=${state} route=${route} />` : html`<${NoToken} />`}
    <${Status} state=${state} isOnline=${shared.isOnline} />
    ${dialog === 'search' && html`<${Palette} onClose=${close} />`}
    ${dialog === 'keys' && html`<${Keys} onClose=${close} />`}
    ${dialog === 'job' && html`<${JobFile} onClose=${close} />`}
    ${dialog === 'open' && html`<${Dialog} title="Open a table or a job file" onClose=${close}><div class="pad"><${OpenTable} bare onOpen=${close} /></div><//>`}
    <${Messages} />`;
}

/** Registries and words do not change while the server runs. */
async function loadOnce() {
  const [methods, glossary] = await Promise.all([api.get('/api/methods'), api.get('/api/glossary')]);
  const words = glossary.words.flatMap(({ word, about, also }) => [word, ...also].map((one) => [one.toLowerCase(), about]));
  update({ methods, glossary: new Map(words) });
}

const theme = localStorage.getItem('hedgerow-theme');
if (theme) document.documentElement.dataset.theme = theme;
update({ hasToken: takeToken() });
const root = document.getElementById('app');
root.replaceChildren();
render(html`<${App} />`, root);
reloadState();
loadOnce().catch(() => {});
follow();
