// The classes of a release, those that lose most first, and the records in one of them.
import { html, useState } from '../../html.js';
import { useApi } from '../../store.js';
import { Dialog } from '../../parts/dialog.js';
import { Trouble, Working } from '../../parts/messages.js';
import { Pages } from '../records.js';
import { count, loss, many } from '../../format.js';

const PAGE = 50;

function Members({ run, number, onClose }) {
  const { data, error } = useApi(`/api/runs/${run}/classes/${number}`);
  return html`<${Dialog} kind="wide" title=${data ? `${many(data.size, 'record')} that look the same` : 'A class'} onClose=${onClose}><div class="pad">
    ${error && html`<${Trouble} problem=${error} />`}${!data && !error && html`<${Working}>Reading its records<//>`}
    ${data && html`<div class="scroll" tabindex="0" role="region" aria-label="Records of the class"><table class="small"><thead><tr><th>Row</th>${data.columns.map((name) => html`<th key=${name}>${name}</th>`)}</tr></thead><tbody>
      <tr class="on"><td>published</td>${data.published.map((cell, index) => html`<td key=${index}><b>${cell}</b></td>`)}</tr>
      ${data.records.slice(0, 500).map((record) => html`<tr key=${record.row}><td class="num mute">${count(record.row + 1)}</td>${record.cells.map((cell, index) => html`<td key=${index}>${cell}</td>`)}</tr>`)}</tbody></table></div>
      ${data.records.length > 500 && html`<p class="mute small">The first 500 of ${count(data.records.length)}.</p>`}`}
  </div><//>`;
}

export function Classes({ run }) {
  const [from, setFrom] = useState(0);
  const [open, setOpen] = useState(null);
  const { data, error, reload } = useApi(`/api/runs/${run}/classes?from=${from}&count=${PAGE}`);
  if (error) return html`<div class="pad"><${Trouble} problem=${error} onAgain=${reload} /></div>`;
  if (!data) return html`<div class="pad" aria-busy="true"><${Working}>Listing the classes<//></div>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Classes"><table class="small"><thead><tr><th class="r">Records</th><th class="r">Loss</th>${data.columns.map((name) => html`<th key=${name}>${name}</th>`)}<th><span class="visually">Its records</span></th></tr></thead>
      <tbody>${data.classes.map((one) => html`<tr key=${one.class}><td class="r">${count(one.size)}</td><td class="r">${loss(one.loss)}</td>${one.cells.map((cell, index) => html`<td key=${index}>${cell}</td>`)}<td><button type="button" class="btn slim" aria-label="Records of class ${one.class}" onClick=${() => setOpen(one.class)}>Records</button></td></tr>`)}</tbody></table></div>
    <${Pages} from=${data.from} total=${data.total} page=${PAGE} onGo=${setFrom} />
    ${open != null && html`<${Members} run=${run} number=${open} onClose=${() => setOpen(null)} />`}`;
}
