// Requests to the server on this machine. The token comes in the fragment of the address and is
// kept in localStorage.

const KEPT = 'hedgerow-token';

/** An answer that says why something was not done, with what to do about it. */
export class Problem extends Error {
  constructor(error, status) {
    super(error.message);
    Object.assign(this, { advice: [], existing: [], attainable: null, ...error, status });
  }
}

/** Moves the token from the fragment to localStorage, so that it is neither in the history nor in a copied address. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    localStorage.setItem(KEPT, given);
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return Boolean(localStorage.getItem(KEPT));
}

const headers = (more) => ({ 'X-Hedgerow-Token': localStorage.getItem(KEPT) ?? '', ...more });

const LOST = {
  kind: 'unavailable',
  message: 'The server of the studio does not answer.',
  advice: [{ text: 'Start it again with `hedgerow studio` and open the address that it prints.' }],
};

/** Sends a request and returns the parsed answer; throws a Problem otherwise. */
async function send(method, path, body, signal) {
  const isRaw = body instanceof Blob;
  const options = { method, signal, headers: headers() };
  if (body !== undefined) {
    options.body = isRaw ? body : JSON.stringify(body);
    options.headers = headers({ 'Content-Type': isRaw ? 'application/octet-stream' : 'application/json' });
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(LOST, 0);
  }
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = null;
  }
  if (response.ok) return answer;
  const error = answer?.error ?? { kind: 'internal', message: `The server answered ${response.status}.` };
  throw new Problem(error, response.status);
}

export const api = {
  get: (path, signal) => send('GET', path, undefined, signal),
  post: (path, body, signal) => send('POST', path, body, signal),
  put: (path, body) => send('PUT', path, body),
  patch: (path, body) => send('PATCH', path, body),
  delete: (path) => send('DELETE', path),
};

/** The address of a column's candidates or of one of them. */
export function hierarchyPath(column, candidate, rest = '') {
  const below = candidate == null ? '' : `/${encodeURIComponent(candidate)}`;
  return `/api/hierarchies/${encodeURIComponent(column)}${below}${rest}`;
}

/** Reads server-sent events for as long as the server sends them; `receive` gets each one. */
export async function listen(receive, signal) {
  const response = await fetch('/api/events', { headers: headers({ Accept: 'text/event-stream' }), signal });
  if (!response.ok) throw new Problem({ kind: 'token', message: `Events were refused (${response.status}).` }, response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    pending += value;
    const blocks = pending.split('\n\n');
    pending = blocks.pop();
    for (const block of blocks) {
      const data = block.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
      if (data.length) receive(JSON.parse(data.join('\n')));
    }
  }
}
