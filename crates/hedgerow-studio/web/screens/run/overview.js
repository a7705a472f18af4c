// Overview of a run: verdict, figures, warnings, and every column before and after.
import { html } from '../../html.js';
import { startRun } from '../../commands.js';
import { Stacked } from '../../parts/bars.js';
import { Advised } from '../../parts/messages.js';
import { Picture } from '../../parts/picture.js';
import { Term } from '../../parts/term.js';
import { count, loss, many, percent } from '../../format.js';

function Figure({ value, word, about, children }) {
  return html`<div class="figure"><b class="num">${value}</b><span class="mute small"><${Term} word=${word} about=${about}>${children}<//></span></div>`;
}

const change = (pair, write) => `${write(pair.before)} → ${write(pair.after)}`;

export function Figures({ figures }) {
  if (!figures) return null;
  return html`<div class="figures-row">
    <${Figure} value=${percent(figures.loss)} word="NTIL" about="Mean share of its column's range or values that a published value covers. 0%: nothing changed, 100%: everything is hidden.">information lost (NTIL)<//>
    <${Figure} value=${change(figures.highest_risk, (risk) => percent(risk, 0))} word="worst-case risk" about="One divided by the least number of records that a person could be: how certainly the most exposed person is found by someone who knows that person is in the table.">worst-case risk<//>
    <${Figure} value=${change(figures.average_risk, (risk) => percent(risk, 0))} word="average risk" about="The same as the worst case, on average over the published records.">average risk<//>
    <${Figure} value=${change(figures.alone, count)} word="alone" about="Records whose quasi-identifiers no other record shares, before and after.">alone<//>
    <${Figure} value=${count(figures.classes)} word="class">classes, smallest ${count(figures.smallest_class)}<//>
    <${Figure} value=${count(figures.suppressed)} word="suppressed">suppressed<//></div>`;
}

function Bands({ bands }) {
  const side = (name, parts) => html`<div class="band-row"><span class="small mute">${name}</span><${Stacked} parts=${parts} label="${name}: ${parts.map((part) => `${part.label} ${percent(part.share)}`).join(', ')}" /></div>`;
  const names = (bands.before.length >= bands.after.length ? bands.before : bands.after).map((part) => part.label);
  return html`<div class="pad stack"><h3>How many people share all quasi-identifiers with each person</h3>${side('Before', bands.before)}${side('After', bands.after)}
    <p class="legend small">${names.map((name, index) => html`<span key=${name} class="nowrap"><svg class="swatch" aria-hidden="true"><rect class="f-s${Math.min(index, 4)}" width="9" height="9" /></svg>${name}</span>`)}</p></div>`;
}

export function ColumnsSeen({ columns }) {
  return html`<div class="pad"><p class="legend small"><span><svg class="swatch line" viewBox="0 0 14 9" aria-hidden="true"><path d="M0 5h14" /></svg>original</span><span><svg class="swatch" aria-hidden="true"><rect class="f-h2" width="9" height="9" /></svg>released</span></p>
    <div class="seen">${columns.map((column) => html`<article key=${column.column}><h3>${column.column}</h3><p class="mute small">${percent(column.unchanged, 0)} unchanged${column.moved != null ? ` · moved ${percent(column.moved)}` : ''}${column.loss != null ? ` · ${percent(column.loss)} lost` : ''}<br />${column.hierarchy}</p>
      <${Picture} svg=${column.svg} label="${column.column}: original and released" /></article>`)}</div></div>`;
}

/** Runs of a sweep keep their figures only; one click makes the release itself. */
export function OnlyMeasured({ brief }) {
  const again = () => startRun({ kind: 'again', run: brief.id });
  return html`<div class="pad row wrap"><p class="grow mute">A sweep keeps figures, not releases. Make this release to see its records, its classes and its report.</p><button type="button" class="btn pri" onClick=${again}>Make this release</button></div>`;
}

/** The methods and hierarchies that auto tried before it chose. */
function Tried({ tried }) {
  if (!tried?.tried?.length) return null;
  const named = (one) => (typeof one.hierarchies === 'string' ? one.hierarchies : Object.entries(one.hierarchies ?? {}).map(([column, name]) => `${column}: ${name}`).join(', '));
  return html`<details class="more"><summary><b>What was tried</b> <span class="mute small">${many(tried.tried.length, 'way')}; the one with the least loss was taken</span></summary><div class="scroll" tabindex="0" role="region" aria-label="What was tried"><table class="small"><thead><tr><th>Method</th><th>Hierarchies</th><th class="r">Records</th><th class="r">Loss</th><th class="r">Risk</th></tr></thead><tbody>
    ${tried.tried.map((one, index) => html`<tr key=${index} class=${index === tried.chosen ? 'on' : ''}><td>${one.method}${index === tried.chosen ? ' (taken)' : ''}</td><td class="mute">${named(one)}</td><td class="r">${one.all ? 'all' : count(one.records)}</td><td class="r">${loss(one.loss)}</td><td class="r">${percent(one.risk)}</td></tr>`)}</tbody></table></div>
    ${tried.left_out?.length > 0 && html`<p class="pad mute small">Left out: ${tried.left_out.map((one) => (typeof one === 'string' ? one : `${one.method ?? one.name}${one.reason ?? one.why ? ` (${one.reason ?? one.why})` : ''}`)).join('; ')}</p>`}</details>`;
}

export function Overview({ run, brief, isChosen, onChoose, children }) {
  return html`<section class="card" aria-labelledby="run"><header><h2 id="run">${brief.title}</h2>${run.verified && html`<span class="pill ok">verified: ${run.verified}</span>`}${brief.stale && html`<span class="pill warn">made with older settings</span>`}<span class="grow"></span>
      ${isChosen ? html`<span class="pill">chosen for report and export</span><a class="btn slim" href="/report">To the report</a>` : run.columns.length > 0 && html`<button type="button" class="btn slim" onClick=${onChoose}>Choose this one</button>`}</header>
    <${Figures} figures=${run.figures} />
    ${run.warnings.length > 0 && html`<div class="pad stack">${run.warnings.map((warning, index) => html`<div key=${index} class="note warn"><p>${warning.message}</p>${warning.advice.map((one) => html`<p class="small" key=${one.text}><${Advised} ...${one} /></p>`)}</div>`)}</div>`}
    ${run.notes.length > 0 && html`<ul class="remarks">${run.notes.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`}
    <${Body} run=${run}>${children}<//>
  </section>`;
}

function Body({ run, children }) {
  const [tabs, ...rest] = children;
  const isOther = rest.some(Boolean);
  return html`${tabs}${isOther ? rest : html`${run.bands && html`<${Bands} bands=${run.bands} />`}${run.columns.length ? html`<${ColumnsSeen} columns=${run.columns} />` : html`<${OnlyMeasured} brief=${run.brief} />`}<${Tried} tried=${run.tried} />`}`;
}
