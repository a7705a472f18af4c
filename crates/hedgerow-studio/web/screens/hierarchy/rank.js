// Candidates ranked by four aspects, whose weights are sliders.
import { html, useState } from '../../html.js';
import { hierarchyPath } from '../../api.js';
import { useApi } from '../../store.js';
import { address } from '../../router.js';
import { Term } from '../../parts/term.js';
import { Trouble, Working } from '../../parts/messages.js';
import { count, many } from '../../format.js';

export const ASPECTS = {
  semantic: { fill: 'f-acc', about: 'How close in meaning values are that a node puts together.' },
  privacy: { fill: 'f-blue', about: 'How far the tree can be used without nodes of fewer than k records.' },
  distortion: { fill: 'f-warn', about: 'How little values change on the way up.' },
  interval: { fill: 'f-vio', about: 'How evenly nodes divide the values.' },
};

/** Four small bars, one for each aspect's reward. */
function Aspects({ rewards }) {
  const text = Object.entries(rewards).map(([name, reward]) => `${name} ${reward}`).join(', ');
  const most = Math.max(100, ...Object.values(rewards));
  return html`<svg class="aspects" viewBox="0 0 40 26" role="img" aria-label=${text}><title>${text}</title>
    ${Object.entries(ASPECTS).map(([name, { fill }], index) => {
      const height = Math.max(0.8, (rewards[name] / most) * 26);
      return html`<rect key=${name} class=${fill} x=${index * 10} y=${26 - height} width="8" height=${height} />`;
    })}</svg>`;
}

export const weightsText = (weights) => Object.entries(weights).map(([name, weight]) => `${name}=${weight}`).join(',');

export function Rank({ column, open, view, weights, onWeights, limit = 14 }) {
  const [isAll, setAll] = useState(false);
  const [isWeighing, setWeighing] = useState(false);
  const { data, error, isBusy } = useApi(hierarchyPath(column, null, `/rank?weights=${encodeURIComponent(weightsText(weights))}`), ['hierarchies', 'senses', 'job']);
  const [last, setLast] = useState(null);
  if (data && data !== last) setLast(data);
  const ranking = data ?? last;
  const places = ranking && ranking.column === column ? ranking.places : [];
  const shown = isAll ? places : places.filter((place, index) => index < limit || place.candidate === open);
  return html`<section class="card flush" aria-labelledby="rank" aria-busy=${isBusy}>
    <header><h2 id="rank">${places.length ? many(places.length, 'candidate') : 'Ranking'}</h2><span class="grow"></span><button type="button" class="btn slim" aria-expanded=${isWeighing} onClick=${() => setWeighing(!isWeighing)}>Weights</button></header>
    <div class="pad weights">${Object.entries(ASPECTS).map(([name, { fill, about }]) => html`<label key=${name}><span><svg class="swatch" aria-hidden="true"><rect class=${fill} width="9" height="9" /></svg><${Term} word=${name} about=${about}>${name}<//></span>
      ${isWeighing && html`<input type="range" min="0" max="100" value=${weights[name]} aria-label="Weight of ${name}" onInput=${(event) => onWeights({ ...weights, [name]: Number(event.target.value) })} /><span class="num tiny">${weights[name]}</span>`}</label>`)}</div>
    ${error && html`<div class="pad"><${Trouble} problem=${error} /></div>`}
    ${!places.length && !error && html`<div class="pad" aria-busy="true"><${Working}>Ranking the candidates<//></div>`}
    ${ranking?.note && html`<p class="pad mute small">${ranking.note}</p>`}
    <ol class="ranked">${shown.map((place) => html`<li key=${place.candidate}><a href=${address('hierarchies', [column, place.candidate], { view })} aria-current=${place.candidate === open ? 'page' : null}>
      <span class="num mute tiny">${place.place}</span><span class="who"><b>${place.candidate}</b><span class="mute tiny">${count(place.nodes)} nodes</span></span><${Aspects} rewards=${place.rewards} /><b class="num">${place.score.toFixed(1)}</b></a></li>`)}</ol>
    ${places.length > shown.length && html`<p class="pad"><button type="button" class="btn slim" onClick=${() => setAll(true)}>All ${count(places.length)}</button></p>`}
  </section>`;
}
