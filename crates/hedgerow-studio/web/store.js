// The state of the session, which all screens share, and the server's messages about changes.
import { api, listen } from './api.js';
import { useState, useEffect, useRef, useCallback } from './html.js';

const listeners = new Set();
let messageNumber = 0;

/** `marks` counts the changes of each part, so that a screen knows when to ask again. */
export const store = {
  state: null,
  methods: null,
  glossary: new Map(),
  progress: {},
  marks: { table: 0, job: 0, hierarchies: 0, senses: 0, runs: 0 },
  messages: [],
  // The id of a candidate that was grown a moment ago.
  awaited: null,
  isOnline: true,
  hasToken: true,
};

function publish() {
  listeners.forEach((listener) => listener());
}

/** Replaces fields of the store and redraws its users. */
export function update(changes) {
  Object.assign(store, changes);
  publish();
}

export function useStore() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return store;
}

/** Shows a message until it is closed; those that are not errors go away on their own. */
export function tell(text, kind = 'ok', extra = {}) {
  const message = { id: ++messageNumber, text, kind, advice: [], ...extra };
  update({ messages: [...store.messages.slice(-3), message] });
  if (kind === 'ok') setTimeout(() => dismiss(message.id), 6000);
}

export function dismiss(id) {
  update({ messages: store.messages.filter((message) => message.id !== id) });
}

/** Shows why something was not done. */
export function complain(problem) {
  if (problem.name === 'AbortError') return;
  if (problem.status === 401) update({ hasToken: false });
  tell(problem.message, 'bad', { advice: problem.advice ?? [], attainable: problem.attainable });
}

/** Marks parts as changed, so that screens ask for them again. */
export function touch(parts) {
  const marks = { ...store.marks };
  for (const part of parts) marks[part] = (marks[part] ?? 0) + 1;
  update({ marks });
}

export function setState(state) {
  if (!store.state || state.revision >= store.state.revision) update({ state });
}

export async function reloadState() {
  try {
    setState(await api.get('/api/state'));
    if (!store.isOnline) update({ isOnline: true });
  } catch (problem) {
    if (problem.status === 401) update({ hasToken: false });
    else if (problem.status === 0) update({ isOnline: false });
    else complain(problem);
  }
}

/** Sends a change and shows a problem; returns the answer or null. */
export async function act(promise) {
  try {
    return await promise;
  } catch (problem) {
    complain(problem);
    return null;
  }
}

export async function changeJob(change) {
  const state = await act(api.patch('/api/job', change));
  if (state) setState(state);
  return state;
}

function replaceRun(brief) {
  const runs = store.state?.runs ?? [];
  const isKnown = runs.some((run) => run.id === brief.id);
  const next = isKnown ? runs.map((run) => (run.id === brief.id ? brief : run)) : [...runs, brief];
  update({ state: { ...store.state, runs: next } });
}

function receive(event) {
  if (event.event === 'progress' && event.progress) {
    const { task, id, done } = event.progress;
    const key = id == null ? task : `${task} ${id}`;
    const progress = { ...store.progress, [key]: event.progress };
    if (done === 1 && task !== 'run') delete progress[key];
    update({ progress });
    const run = task === 'run' && store.state?.runs.find((one) => one.id === id);
    if (run && run.state === 'running') replaceRun({ ...run, stage: event.progress.stage, done, doing: event.progress.doing });
  } else if (event.event === 'run' && event.run) {
    const before = store.state?.runs.find((run) => run.id === event.run.id)?.state;
    replaceRun(event.run);
    if (before !== event.run.state) touch(['runs']);
    if (before !== event.run.state && event.run.state === 'done') reloadState();
  } else if (event.event === 'changed' || event.event === 'hello') {
    if (event.what?.length) touch(event.what);
    if (!store.state || event.revision > store.state.revision) reloadState();
  }
}

/** Listens to the server, and tries again when it was lost. */
export async function follow() {
  for (;;) {
    try {
      await listen((event) => {
        if (!store.isOnline) {
          update({ isOnline: true });
          reloadState();
          touch(Object.keys(store.marks));
        }
        receive(event);
      });
    } catch (problem) {
      if (problem.status === 401) return update({ hasToken: false });
    }
    update({ isOnline: false });
    await new Promise((done) => setTimeout(done, 1500));
  }
}

/**
 * Asks for `path` when it or one of the parts changes, and keeps the last answer meanwhile.
 * `path` is null while there is nothing to ask.
 */
export function useApi(path, parts = [], ask = api.get) {
  const { marks } = useStore();
  const [answer, setAnswer] = useState({ data: null, error: null, path: null, isBusy: false });
  const [again, setAgain] = useState(0);
  const asked = useRef(ask);
  asked.current = ask;
  const mark = parts.map((part) => marks[part]).join();
  useEffect(() => {
    if (path == null) {
      setAnswer({ data: null, error: null, path: null, isBusy: false });
      return undefined;
    }
    const control = new AbortController();
    setAnswer((before) => ({ ...before, isBusy: true }));
    asked.current(path, control.signal).then(
      (data) => {
        // An answer that was already read when the question changed would replace that of the next
        // one.
        if (!control.signal.aborted) setAnswer({ data, error: null, path, isBusy: false });
      },
      (error) => {
        if (error.name === 'AbortError' || control.signal.aborted) return;
        if (error.status === 401) update({ hasToken: false });
        setAnswer((before) => ({ data: before.path === path ? before.data : null, error, path, isBusy: false }));
      },
    );
    return () => control.abort();
  }, [path, mark, again]);
  const reload = useCallback(() => setAgain((n) => n + 1), []);
  // An answer about something else is not shown.
  const isCurrent = answer.path === path;
  return { ...answer, data: isCurrent ? answer.data : null, error: isCurrent ? answer.error : null, isBusy: answer.isBusy || !isCurrent, reload };
}
