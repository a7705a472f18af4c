// The levels of a hierarchy, the effect of publishing a whole level, and the highest one that a release may use.
import { html } from '../../html.js';
import { Bar } from '../../parts/bars.js';
import { Term } from '../../parts/term.js';
import { count, percent } from '../../format.js';

/** The limit of a job is a level counted from the values; here levels count from the root. */
const named = (tree, level) => `level:${tree.height - level}`;

/** The highest level that releases may use, which the job keeps. */
function Limit({ tree, level, limit, onLimit }) {
  const isOn = limit.includes(named(tree, level));
  if (level === 0) return limit.some((label) => label.startsWith('level:')) && html`<button type="button" class="btn slim ghost" onClick=${() => onLimit(null)}>No limit</button>`;
  return html`<button type="button" class="btn slim ${isOn ? '' : 'ghost'}" aria-pressed=${isOn} aria-label="Publish nothing above level ${level}" onClick=${() => onLimit(isOn ? null : named(tree, level))}>${isOn ? 'nothing above' : 'Limit'}</button>`;
}

export function Levels({ tree, k, lowest, limit, onLimit }) {
  const hasRun = tree.levels.some((level) => level.published != null);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Levels"><table class="levels"><thead><tr><th class="r">Level</th><th class="r">Nodes</th><th class="r">Smallest has</th><th class="r">Records in nodes of fewer than ${k}</th><th>${hasRun ? 'Published at this level' : html`<${Term} word="level" about="Level 0 is the root, which hides everything. A release can publish nodes of different levels." >Published<//>`}</th>${onLimit && html`<th><${Term} word="limit" about="A release publishes nothing above this level. The job file keeps it as limit.">Limit<//></th>`}</tr></thead>
    <tbody>${tree.levels.map((level) => html`<tr key=${level.level} class=${level.level === lowest ? 'on' : ''}><td class="r">${level.level}</td><td class="r">${count(level.nodes)}</td><td class="r">${count(level.smallest)}</td><td class="r">${level.below_k ? count(level.below_k) : '–'}</td>
      <td>${level.published == null ? html`<span class="mute small">after a release</span>` : html`<span class="effect"><${Bar} share=${level.published} fill="f-h3" /><span class="num small">${percent(level.published)}</span></span>`}</td>
      ${onLimit && html`<td><${Limit} tree=${tree} level=${level.level} limit=${limit} onLimit=${onLimit} /></td>`}</tr>`)}</tbody></table>
    ${lowest != null && html`<p class="pad mute small">Level ${lowest} is the lowest on which every node has at least ${k} records.</p>`}</div>`;
}
