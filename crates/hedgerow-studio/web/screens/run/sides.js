// Some records before and after.
import { html, useState } from '../../html.js';
import { useApi } from '../../store.js';
import { Trouble, Working } from '../../parts/messages.js';
import { Shared } from '../records.js';

const PAGE = 20;

export function Sides({ run }) {
  const [from, setFrom] = useState(0);
  const { data, error, reload } = useApi(`/api/runs/${run}/records?from=${from}&count=${PAGE}`);
  if (error) return html`<div class="pad"><${Trouble} problem=${error} onAgain=${reload} /></div>`;
  if (!data) return html`<div class="pad" aria-busy="true"><${Working}>Reading records<//></div>`;
  const shown = data.columns.map((name, index) => ({ name, index, role: data.roles[index] })).filter((column) => column.role === 'quasi' || column.role === 'sensitive');
  const cell = (record, { index }) => {
    const [before, after] = [record.original[index], record.released[index]];
    return before === after ? html`<span>${after}</span>` : html`<s class="mute">${before}</s> <b class="strong">${after ?? 'left out'}</b>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Records before and after"><table class="small sides"><thead><tr><th>Class of</th>${shown.map((column) => html`<th key=${column.name} class=${column.role === 'quasi' ? 'good' : ''}>${column.name}</th>`)}</tr></thead>
    <tbody>${data.records.map((record) => html`<tr key=${record.row}><td>${record.size == null ? html`<span class="pill warn">suppressed</span>` : html`<${Shared} n=${record.size} />`}</td>${shown.map((column) => html`<td key=${column.name}>${cell(record, column)}</td>`)}</tr>`)}</tbody></table></div>
    <div class="row pages"><span class="mute small">Struck through: the original. Rows of a release are shuffled; here they are in the order of the table.</span><span class="grow"></span>
      <button type="button" class="btn slim" disabled=${from === 0} onClick=${() => setFrom(Math.max(0, from - PAGE))}>Back</button><button type="button" class="btn slim" disabled=${data.records.length < PAGE} onClick=${() => setFrom(from + PAGE)}>Next</button></div>`;
}
