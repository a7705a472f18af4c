// Meanings of a word of the column: senses as radio buttons, and the ranking with another sense.
import { html, useState, useEffect } from '../../html.js';
import { api } from '../../api.js';
import { act, tell, touch, useApi } from '../../store.js';
import { Trouble, Working } from '../../parts/messages.js';
import { Term } from '../../parts/term.js';
import { ASPECTS, weightsText } from './rank.js';
import { count, many } from '../../format.js';

const sensesPath = (column, rest = '') => `/api/senses/${encodeURIComponent(column)}${rest}`;

function Sense({ concept, isOn, name, onPick }) {
  const [word, number] = [concept.words[0] ?? concept.id, /(\d+)$/.exec(concept.id)?.[1]];
  return html`<label class="sense ${isOn ? 'on' : ''}"><input type="radio" name=${name} checked=${isOn} onChange=${onPick} />
    <span><b>${word}${number && html`<sup>${Number(number)}</sup>`}</b> ${concept.definition}<span class="mute tiny path">${concept.path.slice(0, 4).join(' › ')}</span></span></label>`;
}

/** Places and aspects of the open candidate before and after a correction. */
function Effect({ changed, candidate }) {
  const find = (ranking) => ranking.places.find((place) => place.candidate === candidate) ?? ranking.places[0];
  const [now, then] = [find(changed.before), find(changed.after)];
  if (!now || !then) return html`<p class="pad mute small">No candidate is made of concepts, so nothing is ranked again.</p>`;
  return html`<table class="figures"><thead><tr><td></td><th class="r">now</th><th class="r">then</th><th class="r">reward</th></tr></thead><tbody>
    ${Object.keys(ASPECTS).map((name) => html`<tr key=${name}><td>${name}</td><td class="r mute">${now.aspects[name]?.toFixed(3) ?? '–'}</td><td class="r strong">${then.aspects[name]?.toFixed(3) ?? '–'}</td>
      <td class="r"><span class="pill ${then.rewards[name] > now.rewards[name] ? 'ok' : then.rewards[name] < now.rewards[name] ? 'warn' : ''}">${now.rewards[name] === then.rewards[name] ? then.rewards[name] : `${now.rewards[name]} → ${then.rewards[name]}`}</span></td></tr>`)}
    <tr><td>Place of ${then.candidate}</td><td class="r mute">${now.place}</td><td class="r strong">${then.place}</td><td class="r"><span class="pill">of ${changed.after.places.length}</span></td></tr>
  </tbody></table>`;
}

/** Options of a value, with those that were looked up. */
function useLookup(column, value) {
  const [found, setFound] = useState([]);
  useEffect(() => setFound([]), [column, value]);
  const lookUp = async (word) => {
    const answer = await act(api.post(sensesPath(column, '/lookup'), { word }));
    if (answer && !answer.concepts.length) tell(`“${word}” is not in the vocabulary. Try its base form or a broader word.`, 'warn');
    if (answer) setFound(answer.concepts);
  };
  return [found, lookUp];
}

export function Senses({ column, value, candidate, weights, canEdit, onPick, onOnlyHere }) {
  const { data, error, isBusy } = useApi(sensesPath(column), ['senses', 'table']);
  const [picked, setPicked] = useState(null);
  const [changed, setChanged] = useState(null);
  const [isSaving, setSaving] = useState(false);
  const [typed, setTyped] = useState('');
  const entry = data?.values.find((one) => one.value === value);
  const [found, lookUp] = useLookup(column, value);
  useEffect(() => { setPicked(null); setChanged(null); }, [column, value, data]);
  const body = (preview) => ({ senses: { [value]: picked === 'none' ? [] : picked === 'guess' ? null : [picked] }, preview, weights: weightsText(weights) });
  useEffect(() => {
    if (picked == null) return undefined;
    let isCurrent = true;
    setChanged(null);
    api.put(sensesPath(column), body(true)).then((answer) => isCurrent && setChanged(answer), (problem) => isCurrent && setChanged({ problem }));
    return () => { isCurrent = false; };
  }, [picked]);
  const save = async () => {
    setSaving(true);
    if (await act(api.put(sensesPath(column), body(false)))) {
      tell(`${value} was corrected, and the candidates of concepts were grown and ranked again.`);
      setPicked(null);
      touch(['senses', 'hierarchies']);
    }
    setSaving(false);
  };
  if (error) return html`<section class="card pad"><${Trouble} problem=${error} /></section>`;
  if (!data) return isBusy && html`<section class="card pad" aria-busy="true"><${Working}>Looking up what the words mean<//></section>`;
  const now = picked ?? entry?.chosen[0] ?? 'none';
  const options = entry ? [...entry.options, ...found.filter((concept) => !entry.options.some((option) => option.id === concept.id))] : [];
  const isConcept = picked && picked !== 'none' && picked !== 'guess';
  return html`<section class="card flush" aria-labelledby="senses"><header><h2 id="senses">${entry ? `What “${value}” means` : 'What the words mean'}</h2>
      <span class="mute tiny">${data.source}: ${count(data.given)} given, ${count(data.guessed)} guessed, ${count(data.without)} without</span></header>
    <div class="pad stack">
      <label class="row"><span class="small mute">Value</span><select class="field grow" value=${value ?? ''} onChange=${(event) => onPick(event.target.value)}><option value="" disabled>choose one</option>
        ${data.values.map((one) => html`<option key=${one.value} value=${one.value}>${one.value}${one.unsure ? ' (unsure)' : one.chosen.length ? '' : ' (no meaning)'}</option>`)}</select></label>
      ${!entry && html`<p class="mute small">Choose a value, or a leaf of the tree, to see its <${Term} word="sense">senses<//>.${data.values.some((one) => one.unsure) ? ` ${many(data.values.filter((one) => one.unsure).length, 'value')} could mean several things.` : ''}</p>`}
      ${entry && html`<fieldset class="senses"><legend class="visually">Senses of ${value}</legend>
          ${options.map((concept) => html`<${Sense} key=${concept.id} concept=${concept} name="sense" isOn=${now === concept.id} onPick=${() => setPicked(concept.id)} />`)}
          <label class="sense ${now === 'none' ? 'on' : ''}"><input type="radio" name="sense" checked=${now === 'none'} onChange=${() => setPicked('none')} /><span>None of these: it has no meaning here</span></label></fieldset>
        <form class="row" onSubmit=${(event) => { event.preventDefault(); if (typed.trim()) lookUp(typed.trim()); }}><input class="field grow" maxlength="200" aria-label="Look up another word for ${value}" placeholder="another word for it" value=${typed} onInput=${(event) => setTyped(event.target.value)} /><button class="btn slim">Look up</button></form>
        <p class="mute tiny">${entry.how}${entry.given && html` · <button type="button" class="link" onClick=${() => setPicked('guess')}>guess again</button>`}</p>`}
    </div>
    ${picked != null && html`<div aria-live="polite">${changed?.problem ? html`<div class="pad"><${Trouble} problem=${changed.problem} /></div>` : changed ? html`<${Effect} changed=${changed} candidate=${candidate} />` : html`<div class="pad" aria-busy="true"><${Working}>Ranking all candidates again<//></div>`}
      <div class="row pad"><button type="button" class="btn pri grow" disabled=${!changed || changed.problem || isSaving} onClick=${save}>${isSaving ? 'Growing and ranking again' : 'Apply to all candidates'}</button>
        ${isConcept && canEdit && html`<button type="button" class="btn" onClick=${() => { onOnlyHere({ op: 'sense', value, concept: picked }); setPicked(null); }}>Only here</button>`}</div></div>`}
  </section>`;
}
