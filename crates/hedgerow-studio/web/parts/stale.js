// A banner on every screen while the file of the table is not the one that was read.
import { html, useState } from '../html.js';
import { api } from '../api.js';
import { act, reloadState, touch } from '../store.js';
import { Working } from './messages.js';

export function Stale({ table }) {
  const [isBusy, setBusy] = useState(false);
  const reload = async () => {
    setBusy(true);
    await act(api.post('/api/table/reload'));
    await reloadState();
    touch(['table', 'hierarchies', 'runs']);
    setBusy(false);
  };
  return html`<div class="banner" aria-busy=${isBusy}><div class="note warn" role="alert"><p><b>${table.name}</b> changed on disk since it was read. What you see is the old content.</p>
    ${isBusy ? html`<${Working}>Reading it again<//>` : html`<p><button type="button" class="link" onClick=${reload}>Read it again</button></p>`}</div></div>`;
}
