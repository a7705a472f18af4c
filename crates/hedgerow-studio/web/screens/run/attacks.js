// Risk models and attacks on a release.
import { h, html } from '../../html.js';
import { api } from '../../api.js';
import { act, touch, useApi, useStore } from '../../store.js';
import { Trouble, Working } from '../../parts/messages.js';
import { Bar } from '../../parts/bars.js';
import { Term } from '../../parts/term.js';
import { count, number, percent } from '../../format.js';

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

/** The three questions of data protection, each with a verdict and a sentence. */
function Questions({ questions }) {
  const verdict = { no: ['ok', 'no'], yes: ['bad', 'yes'] };
  return html`<ul class="questions">${questions.map((one) => html`<li key=${one.question}><p><b class="strong">${words(one.question)}</b> <span class="pill ${verdict[one.verdict]?.[0] ?? 'warn'}">${verdict[one.verdict]?.[1] ?? one.verdict ?? 'not measured'}</span></p><p class="small">${one.sentence}</p></li>`)}</ul>`;
}

/** Attackers and their chances, before and after. */
function Models({ risk }) {
  const before = risk.original?.published?.models ?? [];
  const after = risk.release?.published?.models ?? [];
  const find = (name) => before.find((one) => one.model === name);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Risk models"><table class="small"><thead><tr><th>Attacker</th><th class="r">Expected to be found, before</th><th class="r">after</th><th class="r">Worst case, before</th><th class="r">after</th></tr></thead><tbody>
    ${after.map((one) => html`<tr key=${one.model}><td><${Term} word=${one.model}>${one.model}<//></td><td class="r mute">${percent(find(one.model)?.share, 2)}</td><td class="r strong">${percent(one.share, 2)}</td><td class="r mute">${percent(find(one.model)?.spread?.highest.risk)}</td><td class="r strong">${percent(one.spread?.highest.risk)}</td></tr>`)}</tbody></table></div>`;
}

function Attempt({ attempt, unit }) {
  const share = attempt.attacked ? attempt.exposed / attempt.attacked : 0;
  const { remedies } = attempt;
  return html`<li class="attempt"><div class="row wrap"><b class="strong">${words(attempt.attack)}${attempt.variant ? `, ${attempt.variant}` : ''}${attempt.column ? ` on ${attempt.column}` : ''}</b>
      <span class="pill ${attempt.exposed === 0 ? 'ok' : attempt.exposed <= attempt.chance ? '' : 'bad'}">${attempt.exposed === 0 ? 'found no one' : `${count(attempt.exposed)} of ${count(attempt.attacked)} ${unit}s exposed`}</span><span class="mute tiny">by ${attempt.discloses}</span></div>
    <p class="small">Knew ${attempt.knew}; ${attempt.tried}.</p>
    <div class="effect"><${Bar} share=${share} fill=${share > 0 ? 'f-bad' : 'f-h2'} /><span class="mute tiny">best guess is right with ${percent(attempt.success)}, on average ${percent(attempt.mean)}; ${count(attempt.chance)} would be exposed by chance</span></div>
    ${(attempt.examples.length > 0 || remedies.length > 0) && html`<details class="small"><summary>Examples, and what helps</summary><ul>${attempt.examples.map((text, index) => html`<li key=${index}>${text}</li>`)}</ul>${remedies.length > 0 && html`<p>What helps: ${remedies.join('; ')}.</p>`}</details>`}</li>`;
}

/** Starts attacks on a release, or stops them. */
export const attack = async (run, isOn = true) => {
  if (await act(isOn ? api.post(`/api/runs/${run}/attacks`) : api.delete(`/api/runs/${run}/attacks`))) touch(['runs']);
};

/** The progress of the attacks, with the button that starts or stops them. */
export function Attacking({ run, state, problem }) {
  const { progress } = useStore();
  const step = progress[`attacks ${run}`];
  if (state === 'running') {
    return html`<div class="stack"><${Working}>${step?.doing ?? 'Trying to break the release'}<//>${step?.done != null && html`<${Bar} share=${step.done} label="${percent(step.done, 0)} of the attacks" />`}
      <div><button type="button" class="btn slim danger" onClick=${() => attack(run, false)}>Stop the attacks</button></div></div>`;
  }
  return html`<div class="stack">${problem && html`<${Trouble} problem=${problem} />`}<p class="small">Attacks try to find people in the release as a neighbour, a journalist or a recipient of other releases would. They take a moment and run while you go on.</p>
    <div><button type="button" class="btn pri" onClick=${() => attack(run)}>Attack this release</button></div></div>`;
}

export function Attacks({ run }) {
  const { data, error, reload } = useApi(`/api/runs/${run}/risk`, ['runs']);
  if (error) return html`<div class="pad"><${Trouble} problem=${error} onAgain=${reload} /></div>`;
  if (!data) return html`<div class="pad" aria-busy="true"><${Working}>Reading the risk of the release<//></div>`;
  const { risk, attacks } = data;
  return html`<div class="pad stack">${data.note && html`<p class="note">${data.note}</p>`}
    ${risk?.questions && html`<section><h3>What the release still allows</h3><${Questions} questions=${risk.questions} /></section>`}
    ${risk?.release && html`<section><h3>Risk of being found</h3><${Models} risk=${risk} /></section>`}
    ${data.state !== 'done' && html`<section><h3>Attacks</h3><${Attacking} run=${run} state=${data.state} problem=${data.problem} /></section>`}
    ${attacks?.attempts && html`<section><h3>Attacks that were tried</h3><ul class="attempts">${attacks.attempts.map((attempt, index) => html`<${Attempt} key=${index} attempt=${attempt} unit=${attacks.unit ?? 'record'} />`)}</ul></section>`}
    <details><summary>All figures</summary>${risk && html`<section><h3>Risk</h3><${Facts} value=${risk} level=${4} /></section>`}${attacks && html`<section><h3>Attacks</h3><${Facts} value=${attacks} level=${4} /></section>`}</details></div>`;
}
