// Risk models and attacks on a release.
import { h, html } from '../../html.js';
import { useApi } from '../../store.js';
import { Trouble, Working } from '../../parts/messages.js';
import { number, percent } from '../../format.js';

const words = (key) => key.replaceAll('_', ' ').replaceAll('-', ' ');
const isPlain = (value) => value == null || typeof value !== 'object';

function written(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? number(value) : value >= 0 && value <= 1 ? percent(value, 2) : number(value);
  return value == null ? '–' : String(value);
}

/** Any answer of the library as tables: plain fields as rows, lists of objects as tables, the rest below headings. */
export function Facts({ value, level = 3 }) {
  if (isPlain(value)) return html`<p>${written(value)}</p>`;
  if (Array.isArray(value)) {
    if (!value.length) return html`<p class="mute small">none</p>`;
    if (value.every(isPlain)) return html`<p class="small">${value.map(written).join(', ')}</p>`;
    const keys = [...new Set(value.flatMap((one) => Object.keys(one ?? {})))].filter((key) => value.some((one) => isPlain(one?.[key]) && one?.[key] != null));
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Figures"><table class="small"><thead><tr>${keys.map((key) => html`<th key=${key}>${words(key)}</th>`)}</tr></thead><tbody>${value.slice(0, 200).map((one, index) => html`<tr key=${index}>${keys.map((key) => html`<td key=${key} class="num">${isPlain(one?.[key]) ? written(one?.[key]) : ''}</td>`)}</tr>`)}</tbody></table></div>`;
  }
  const plain = Object.entries(value).filter(([, one]) => isPlain(one));
  const nested = Object.entries(value).filter(([, one]) => !isPlain(one));
  return html`${plain.length > 0 && html`<table class="small facts"><tbody>${plain.map(([key, one]) => html`<tr key=${key}><td class="mute">${words(key)}</td><td class="num">${written(one)}</td></tr>`)}</tbody></table>`}
    ${nested.map(([key, one]) => html`<div key=${key} class="fact">${level <= 5 ? h(`h${level}`, null, words(key)) : html`<p class="strong small">${words(key)}</p>`}<${Facts} value=${one} level=${level + 1} /></div>`)}`;
}

export function Attacks({ run }) {
  const { data, error, reload } = useApi(`/api/runs/${run}/risk`);
  if (error) return html`<div class="pad"><${Trouble} problem=${error} onAgain=${reload} /></div>`;
  if (!data) return html`<div class="pad"><${Working}>Attacking the release as a stranger, a neighbour and a journalist would; this takes a moment the first time<//></div>`;
  return html`<div class="pad stack">${data.note && html`<p class="note">${data.note}</p>`}
    ${data.risk && html`<section><h3>Risk</h3><${Facts} value=${data.risk} level=${4} /></section>`}
    ${data.attacks && html`<section><h3>Attacks</h3><${Facts} value=${data.attacks} level=${4} /></section>`}</div>`;
}
