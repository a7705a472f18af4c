// The table: the roles of its columns, and their effect on the people in it.
import { html, useState, useEffect, useMemo, useRef } from '../html.js';
import { api } from '../api.js';
import { changeJob, update, useApi, useStore } from '../store.js';
import { go, address } from '../router.js';
import { useKeys } from '../keys.js';
import { grow } from '../commands.js';
import { Bar, Spark } from '../parts/bars.js';
import { RoleSwitch, roleName } from '../parts/roles.js';
import { Term } from '../parts/term.js';
import { Trouble, Working } from '../parts/messages.js';
import { Goal } from './goal.js';
import { Before } from './before.js';
import { Records } from './records.js';
import { count, KINDS, many } from '../format.js';

/** The kind of a column and its range or first values, as text. */
function summary(column) {
  const values = column.least != null && column.kind !== 'text' ? `${column.least} … ${column.greatest}` : column.examples.slice(0, 2).join(', ');
  const missing = column.missing ? ` · ${count(column.missing)} missing` : '';
  return `${KINDS[column.kind] ?? column.kind}${values ? ` · ${values}` : ''}${missing}`;
}

/** The effect of a column on people who are alone: with it, without it, or if others learn it. */
function Contribution({ column, role, without, added, n }) {
  if (column.nearly_name && role !== 'quasi') return html`<span class="pill warn">${count(column.distinct)} values: nearly a name</span>`;
  if (without) {
    return html`<span class="effect"><${Bar} share=${without.fewer / Math.max(1, n)} fill="f-warn" /><span><b class="num">${count(without.fewer)}</b> <span class="mute tiny">fewer alone without it</span></span></span>`;
  }
  if (added) {
    return html`<span class="effect guess"><${Bar} share=${added.more / Math.max(1, n)} fill="f-mute" /><span class="mute"><span class="num">+${count(added.more)}</span> <span class="tiny">if others know it</span></span></span>`;
  }
  if (role === 'identifier' || role === 'drop') return html`<span class="mute tiny">not in the release</span>`;
  return html`<span class="mute tiny">–</span>`;
}

function ColumnRow({ column, role, risk, most, isFound, onChoose }) {
  const row = useRef(null);
  useEffect(() => {
    if (isFound) row.current.scrollIntoView({ block: 'center' });
  }, [isFound]);
  const find = (list) => list?.find((one) => one.column === column.name);
  const bins = column.histogram?.bins ?? [];
  return html`<tr ref=${row} class="role-${role} ${isFound ? 'on' : ''}">
    <td><b class="strong name">${column.name}</b><div class="mute tiny clip">${summary(column)}</div></td>
    <td>${bins.length > 0 && html`<${Spark} bins=${bins} label="Distribution of ${column.name}: ${many(bins.length, 'bar')}, most ${bins.length && bins.reduce((a, b) => (b.count > a.count ? b : a)).label}" />`}</td>
    <td class="r">${count(column.distinct)}</td>
    <td><${RoleSwitch} column=${column.name} role=${role} suggested=${column.suggested} onChoose=${onChoose} />
      ${role === 'undecided' && html`<div class="tiny mute">${column.suggested === 'undecided' ? 'you decide' : html`suggested: <button type="button" class="link" onClick=${() => onChoose(column.suggested)}>${roleName(column.suggested)}</button>`}${column.hint && ` · ${column.hint}`}</div>`}</td>
    <td><${Contribution} column=${column} role=${role} n=${most} without=${find(risk?.without)} added=${find(risk?.added)} /></td>
  </tr>`;
}

/** The risk of the table as it is; asked for again a moment after the last change of a role. */
function useRisk() {
  return useApi('/api/risk', ['table', 'job'], (path, signal) => api.post(path, {}, signal));
}

export function TableScreen({ route, state }) {
  const shared = useStore();
  const table = useApi('/api/table', ['table']);
  const risk = useRisk();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState({});
  const filter = useRef(null);
  const columns = table.data?.columns ?? [];
  useEffect(() => setTried({}), [state.revision]);
  const roleOf = (name) => tried[name] ?? state.job.roles[name] ?? 'undecided';
  const choose = (roles) => {
    setTried((before) => ({ ...before, ...roles }));
    changeJob({ roles }).then((done) => done || setTried({}));
  };
  const undecided = columns.filter((column) => roleOf(column.name) === 'undecided');
  const suggested = undecided.filter((column) => column.suggested !== 'undecided');
  const quasi = columns.filter((column) => roleOf(column.name) === 'quasi');
  const shown = columns.filter((column) => column.name.toLowerCase().includes(typed.toLowerCase()));
  const most = useMemo(() => Math.max(1, ...(risk.data?.without ?? []).map((one) => one.fewer), ...(risk.data?.added ?? []).map((one) => one.more)), [risk.data]);
  const isGrown = quasi.length > 0 && quasi.every((column) => state.job.hierarchy[column.name]);
  const next = () => (isGrown ? go(address('hierarchies')) : grow());
  useKeys([
    { key: '/', about: 'Filter columns', run: () => filter.current?.focus() },
    { key: 'G', about: 'Grow hierarchies', isOff: !quasi.length, run: next },
    { key: 'A', about: 'Take all suggested roles', isOff: !suggested.length, run: () => choose(suggestions(suggested)) },
  ]);
  return html`<main id="main" tabindex="-1" class="two">
    <div class="column">
      <h1 class="visually">Table</h1>
      <section class="card" aria-labelledby="who" aria-busy=${table.isBusy}>
        <header><h2 id="who">Who may know what?</h2>
          <span class="mute small">${many(columns.length, 'column')}${undecided.length ? `; ${count(undecided.length)} without a role` : '; all have a role'}</span><span class="grow"></span>
          ${suggested.length > 0 && html`<button type="button" class="btn slim" onClick=${() => choose(suggestions(suggested))}>Take ${many(suggested.length, 'suggestion')} <kbd>A</kbd></button>`}
          <input class="field" ref=${filter} type="search" placeholder="Filter columns  /" aria-label="Filter columns" value=${typed} onInput=${(event) => setTyped(event.target.value)} />
          <button type="button" class="btn slim" onClick=${() => update({ dialog: 'job' })}>Job file</button></header>
        ${table.error && html`<div class="pad"><${Trouble} problem=${table.error} onAgain=${table.reload} /></div>`}
        ${!table.data && !table.error && html`<div class="pad" aria-busy="true"><${Working}>Reading the columns<//></div>`}
        ${table.data && html`<div class="scroll"><table class="cols"><thead><tr><th>Column</th><th>Values</th><th class="r">Distinct</th><th>Role</th>
          <th><${Term} word="alone" about="A record is alone if no other record has the same values in all quasi-identifiers. Who knows these values of a person finds the record.">What it does to people who are alone<//></th></tr></thead>
          <tbody>${shown.map((column) => html`<${ColumnRow} key=${column.name} column=${column} role=${roleOf(column.name)} risk=${risk.data} most=${most} isFound=${route.query.column === column.name}
            onChoose=${(role) => choose({ [column.name]: role })} />`)}</tbody></table>
          ${!shown.length && html`<p class="pad mute">No column has “${typed}” in its name.</p>`}</div>`}
      </section>
      <${Notes} notes=${table.data?.notes ?? []} />
      <${Records} quasi=${quasi.map((column) => column.name)} />
    </div>
    <aside class="column first" aria-label="Risk and goal">
      <${Before} risk=${risk} quasi=${quasi} />
      <${Goal} job=${state.job} columns=${columns} notes=${(risk.data?.notes ?? []).filter((note) => !isSame(note, table.data?.notes))} isGrown=${isGrown} n=${quasi.length} isGrowing=${shared.growing} onNext=${next} />
    </aside>
  </main>`;
}

const suggestions = (columns) => Object.fromEntries(columns.map((column) => [column.name, column.suggested]));
const isSame = (note, notes) => notes?.some((other) => other.message === note.message);

/** Remarks on how the table was read and on what to know before publishing. */
function Notes({ notes }) {
  if (!notes.length) return null;
  return html`<section class="card" aria-labelledby="notes"><header><h2 id="notes">Before you publish</h2><span class="mute small">${many(notes.length, 'remark')}</span></header>
    <ul class="remarks">${notes.map((note, index) => html`<li key=${index}><p>${note.message}</p>${note.advice.map((sentence) => html`<p class="mute small" key=${sentence}>${sentence}</p>`)}</li>`)}</ul></section>`;
}
