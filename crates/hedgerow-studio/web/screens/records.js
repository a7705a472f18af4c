// Rows of the table as they are, with how many share their quasi-identifiers.
import { html, useState, useEffect } from '../html.js';
import { useApi } from '../store.js';
import { Trouble, Working } from '../parts/messages.js';
import { count } from '../format.js';

const PAGE = 25;

export function Shared({ n }) {
  if (n == null) return html`<span class="pill">–</span>`;
  if (n === 1) return html`<span class="pill bad">alone</span>`;
  return html`<span class="pill ${n < 5 ? 'warn' : 'ok'}">1 of ${count(n)}</span>`;
}

/** The rows that are shown, and steps to others. */
export function Pages({ from, total, page, onGo }) {
  if (total <= page) return null;
  const last = Math.floor((total - 1) / page) * page;
  return html`<div class="row pages">
    <span class="mute small num">${count(from + 1)} to ${count(Math.min(from + page, total))} of ${count(total)}</span><span class="grow"></span>
    <button type="button" class="btn slim" disabled=${from === 0} onClick=${() => onGo(0)}>First</button>
    <button type="button" class="btn slim" disabled=${from === 0} onClick=${() => onGo(Math.max(0, from - page))}>Back</button>
    <button type="button" class="btn slim" disabled=${from >= last} onClick=${() => onGo(from + page)}>Next</button>
    <button type="button" class="btn slim" disabled=${from >= last} onClick=${() => onGo(last)}>Last</button>
  </div>`;
}

export function Records({ quasi }) {
  const [alone, setAlone] = useState(false);
  const [from, setFrom] = useState(0);
  const { data, error, isBusy, reload } = useApi(`/api/rows?from=${from}&count=${PAGE}&alone=${alone}`, ['table', 'job']);
  const [shown, setShown] = useState(null);
  useEffect(() => data && setShown(data), [data]);
  useEffect(() => setFrom(0), [alone, quasi.join()]);
  return html`<section class="card flush" aria-labelledby="records" aria-busy=${isBusy}>
    <header><h2 id="records">Records</h2><span class="mute small">as they are${quasi.length ? ', with how many share their quasi-identifiers' : ''}</span><span class="grow"></span>
      <span class="seg" role="group" aria-label="Which records"><button type="button" aria-pressed=${!alone} onClick=${() => setAlone(false)}>All</button><button type="button" aria-pressed=${alone} onClick=${() => setAlone(true)}>Alone only</button></span></header>
    ${error && html`<div class="pad"><${Trouble} problem=${error} onAgain=${reload} /></div>`}
    ${!shown && !error && html`<div class="pad" aria-busy="true"><${Working}>Reading records<//></div>`}
    ${shown && html`<div class="scroll" tabindex="0" role="region" aria-label="Records, can be scrolled"><table class="small nowrap"><thead><tr><th>Shared by</th>${shown.columns.map((name) => html`<th key=${name} class=${quasi.includes(name) ? 'good' : ''}>${name}</th>`)}</tr></thead>
      <tbody>${shown.rows.map((row) => html`<tr key=${row.row}><td><${Shared} n=${quasi.length ? row.shared_by : null} /></td>${row.cells.map((cell, index) => html`<td key=${index} class=${quasi.includes(shown.columns[index]) ? '' : 'mute'}>${cell}</td>`)}</tr>`)}</tbody></table>
      ${!shown.rows.length && html`<p class="pad mute">${alone ? 'No record is alone with these quasi-identifiers.' : 'The table has no records.'}</p>`}</div>
      <${Pages} from=${shown.from} total=${shown.total} page=${PAGE} onGo=${setFrom} />`}
  </section>`;
}
