// The risk of the table before anything is done: one sentence, one bar.
import { html } from '../html.js';
import { Stacked } from '../parts/bars.js';
import { Term } from '../parts/term.js';
import { Trouble, Working } from '../parts/messages.js';
import { count, percent } from '../format.js';

export function Before({ risk, quasi }) {
  const { data, error, isBusy } = risk;
  const isOld = data && isBusy;
  const isCounted = quasi.length > 0 && data?.quasi.length > 0;
  return html`<section class="card pad stack risk" aria-labelledby="before" aria-busy=${isBusy}>
    <h2 id="before" class="small mute">Before anything is done${isOld && ', counting again'}</h2>
    ${error && html`<${Trouble} problem=${error} onAgain=${risk.reload} />`}
    ${!data && !error && html`<${Working}>Counting who is alone<//>`}
    <div aria-live="polite" class="stack">
      ${data && !isCounted && html`<p class="strong">Nothing is said about anybody yet.</p><p class="mute">Mark what others may know of a person, such as age or sex, as <${Term} word="quasi-identifier">Quasi<//>. Then you see how many people these columns single out.</p>`}
      ${isCounted && html`<p class="stat ${data.share_alone > 0.05 ? 'bad' : data.alone ? 'warn' : 'good'}">${percent(data.share_alone)}</p><p>${data.sentence}</p>`}
    </div>
    ${isCounted && html`
      <${Stacked} parts=${data.bands} label="Class sizes: ${data.bands.map((band) => `${band.label} ${percent(band.share)}`).join(', ')}" />
      <table class="bands"><thead class="visually"><tr><th>Shared by</th><th>${data.unit}</th><th>share</th></tr></thead><tbody>
        ${data.bands.map((band, index) => html`<tr key=${band.label}><td><svg class="swatch" aria-hidden="true"><rect class="f-s${Math.min(index, 4)}" width="9" height="9" /></svg> ${band.label}</td><td class="r">${count(band.n)}</td><td class="r mute">${percent(band.share)}</td></tr>`)}
      </tbody></table>
      <p class="mute small">Someone who knows ${data.quasi.length === 1 ? 'this' : `these ${count(data.quasi.length)} things`} of a neighbour finds the record: on <${Term} word="average risk" about="The mean over all records of one divided by the number of records that share its quasi-identifiers.">average<//> with ${percent(data.average_risk, 0)} certainty, in the worst case with ${percent(data.highest_risk, 0)}.</p>`}
  </section>`;
}
