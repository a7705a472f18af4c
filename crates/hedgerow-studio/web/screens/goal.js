// The goal: k, suppression and privacy models, with the server's warnings.
import { html, useState } from '../html.js';
import { changeJob, store } from '../store.js';
import { useControl } from '../router.js';
import { Dialog } from '../parts/dialog.js';
import { Parameters, Stepper, parametersOf } from '../parts/form.js';
import { Term } from '../parts/term.js';
import { Working } from '../parts/messages.js';
import { many } from '../format.js';

const change = ({ name, parameters }) => ({ name, parameters });

/** Adds a privacy model to those of the job. */
const addModel = (job, model) => changeJob({ privacy: [...job.privacy.map(change), model] });

function Models({ job, columns, onClose }) {
  const models = (store.methods?.privacy ?? []).filter((method) => method.name !== 'k-anonymity');
  const [name, setName] = useState(models.find((method) => method.name === 'l-diversity')?.name ?? models[0]?.name);
  const [entered, setEntered] = useState({});
  const method = models.find((one) => one.name === name);
  const submit = async (event) => {
    event.preventDefault();
    if (await addModel(job, { name, parameters: parametersOf(method, entered) })) onClose();
  };
  return html`<${Dialog} title="Add a privacy model" onClose=${onClose}><form onSubmit=${submit}><div class="pad form">
    <label>Model<select class="field" value=${name} onChange=${(event) => { setName(event.target.value); setEntered({}); }}>
      ${models.map((one) => html`<option key=${one.name} value=${one.name}>${one.name}</option>`)}</select></label>
    <${Parameters} method=${method} entered=${entered} onChange=${setEntered} columns=${columns.map((column) => column.name)} />
  </div><footer class="row end pad"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn pri">Add</button></footer></form><//>`;
}

/** A warning, with the model that would answer it in one click. */
function Warning({ note, job, onOther }) {
  const hasModels = note.kind === 'sensitive-without-model';
  return html`<div class="note warn"><p>${note.message}</p>
    ${hasModels ? html`<p><button type="button" class="link" onClick=${() => addModel(job, { name: 'l-diversity', parameters: { l: 2 } })}>Add ℓ-diversity 2</button> · <button type="button" class="link" onClick=${onOther}>other models</button></p>`
      : note.advice.map((sentence) => html`<p class="tiny" key=${sentence}>${sentence}</p>`)}</div>`;
}

export function Goal({ job, columns, notes, isGrown, n, isGrowing, onNext }) {
  const [isAdding, setAdding] = useState(false);
  const [k, suppress, privacy] = [useControl('k'), useControl('suppress'), useControl('privacy')];
  const without = (index) => changeJob({ privacy: job.privacy.filter((_, at) => at !== index).map(change) });
  return html`<section class="card pad stack" aria-labelledby="goal">
    <h2 id="goal">What must hold</h2>
    <div class="pair">
      <span>Everyone is <${Term} word="k-anonymity">one of at least<//></span>
      <${Stepper} value=${job.k} least=${1} label="k: everyone is one of at least" input=${k} onChange=${(value) => changeJob({ k: value })} />
      <label for="suppress">May be <${Term} word="suppressed">suppressed<//></label>
      <span><input id="suppress" ref=${suppress} class="field short" type="number" min="0" max="100" step="0.1" value=${+(job.suppress * 100).toFixed(4)} onChange=${(event) => changeJob({ suppress: Math.max(0, Math.min(100, event.target.valueAsNumber || 0)) / 100 })} /> %</span>
      ${job.privacy.map((model, index) => html`<span key=${`m${index}`}><${Term} word=${model.name}>${model.text}<//></span><button key=${`b${index}`} type="button" class="btn slim ghost" aria-label="Remove ${model.text}" onClick=${() => without(index)}>Remove</button>`)}
    </div>
    <div class="stack" aria-live="polite">${notes.map((note, index) => html`<${Warning} key=${index} note=${note} job=${job} onOther=${() => setAdding(true)} />`)}</div>
    <button type="button" ref=${privacy} class="btn slim" onClick=${() => setAdding(true)}>Add a privacy model</button>
    ${isGrowing ? html`<${Growing} />`
      : html`<button type="button" class="btn pri block" disabled=${!n} onClick=${onNext}>${isGrown ? 'See the hierarchies' : `Grow ${many(n, 'hierarchy', 'hierarchies')}`} <kbd>G</kbd></button>`}
    ${!n && html`<p class="mute small">First mark at least one column as Quasi.</p>`}
    ${isAdding && html`<${Models} job=${job} columns=${columns} onClose=${() => setAdding(false)} />`}
  </section>`;
}

export function Growing() {
  const doing = store.progress.growing?.doing;
  return html`<${Working}>Growing hierarchies${doing ? `: ${doing}` : ''}<//>`;
}
