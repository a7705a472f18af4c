// Actions that are available everywhere: by the palette, by keys and by buttons.
import { api } from './api.js';
import { act, store, tell, update, setState } from './store.js';
import { address, go, here } from './router.js';

/** Names of commands and their labels in the palette. */
export const COMMANDS = {
  table: 'Go to the table and its roles',
  hierarchies: 'Go to hierarchies',
  release: 'Go to the release',
  compare: 'Go to the comparison of runs',
  report: 'Go to the report and export',
  grow: 'Grow hierarchies for all quasi-identifiers',
  run: 'Run: make a release with the job as it is',
  sweep: 'Sweep: several runs over k and methods',
  export: 'Export release, report and job file',
  open: 'Open another table or job file',
  job: 'Show and edit the job file',
  undo: 'Undo the last edit of this hierarchy',
  redo: 'Redo the last undone edit',
  keys: 'List all keys',
  theme: 'Switch between light and dark',
};

/** The candidate that the address names, if it is one. */
export function openCandidate() {
  const { screen, rest } = here();
  return screen === 'hierarchies' && rest.length > 1 ? { column: rest[0], candidate: rest[1] } : null;
}

export async function grow() {
  update({ growing: true });
  const grown = await act(api.post('/api/hierarchies', {}));
  update({ growing: false });
  if (grown) go(address('hierarchies'));
}

/** Makes a release; `change` is a method or k for this run alone, or the run that is made again. */
export async function startRun(change = {}) {
  const started = await act(api.post('/api/runs', { kind: 'single', ...change }));
  if (!started) return null;
  const run = started.runs[started.runs.length - 1];
  go(address('release', [], { run: run?.id }));
  return run;
}

export async function cancelRun(id) {
  await act(api.delete(`/api/runs/${id}`));
}

export async function chooseRun(id) {
  const state = await act(api.put(`/api/runs/${id}`));
  if (state) setState(state);
}

/** Undoes or redoes an edit of the hierarchy that is shown. */
export async function step(direction) {
  const open = openCandidate();
  if (!open) return tell('Undo and redo change the hierarchy that is shown; open one first.', 'warn');
  const path = `/api/hierarchies/${encodeURIComponent(open.column)}/${encodeURIComponent(open.candidate)}/edits/${direction}`;
  const edited = await act(api.post(path));
  if (edited) tell(`${direction === 'undo' ? 'Undone' : 'Done again'}: ${edited.about}`);
  return edited;
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Switches between light and dark; choosing the theme of the system follows the system again. */
export function switchTheme() {
  const wanted = isDark() ? 'light' : 'dark';
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  if (wanted === system) {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem('hedgerow-theme');
  } else {
    document.documentElement.dataset.theme = wanted;
    localStorage.setItem('hedgerow-theme', wanted);
  }
  update({ theme: wanted });
}

export function command(name) {
  if (['table', 'hierarchies', 'release', 'compare', 'report'].includes(name)) return go(address(name));
  if (name === 'grow') return grow();
  if (name === 'run') return startRun();
  if (name === 'sweep') return go(address('compare', [], { sweep: 'new' }));
  if (name === 'export') return go(address('report', [], { export: 'new' }));
  if (name === 'undo' || name === 'redo') return step(name);
  if (name === 'theme') return switchTheme();
  return update({ dialog: name });
}

/** Reasons why the job cannot run; empty if it can. */
export const obstacles = () => store.state?.job.problems ?? [];
