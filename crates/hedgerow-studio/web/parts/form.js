// Forms made from the described parameters of a method, so that a new method needs no new form.
import { html } from '../html.js';

const text = (value) => (value == null ? '' : Array.isArray(value) ? value.join('+') : String(value));

/** The content of a field, as the value that the server expects; undefined takes the default. */
function read(parameter, entered) {
  if (entered === '' || entered == null) return undefined;
  if (parameter.type === 'whole' || parameter.type === 'number') return Number(entered);
  if (parameter.type === 'flag') return entered === 'true' || entered === true;
  if (parameter.type === 'list') return String(entered).split('+').map((item) => item.trim()).filter(Boolean);
  return entered;
}

/** The parameters that were entered, without those left at their defaults. */
export function parametersOf(method, entered) {
  const pairs = (method?.parameters ?? []).map((parameter) => [parameter.name, read(parameter, entered[parameter.name])]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

function limits({ least, most }) {
  if (least != null && most != null) return `${least} to ${most}`;
  if (least != null) return `at least ${least}`;
  return most != null ? `at most ${most}` : '';
}

function Field({ parameter, value, onInput, columns }) {
  const given = { class: 'field', required: parameter.required, value: value ?? '', onInput: (event) => onInput(event.target.value) };
  const standard = parameter.default == null ? 'default' : `default: ${text(parameter.default)}`;
  const choices = parameter.type === 'flag' ? ['true', 'false'] : parameter.type === 'column' ? columns : parameter.choices;
  if (choices?.length && parameter.type !== 'list') {
    return html`<select ...${given}><option value="">${parameter.required ? 'choose' : standard}</option>
      ${choices.map((choice) => html`<option key=${choice} value=${choice}>${choice}</option>`)}</select>`;
  }
  if (parameter.type === 'whole' || parameter.type === 'number') {
    return html`<input type="number" step=${parameter.type === 'whole' ? 1 : 'any'} min=${parameter.least} max=${parameter.most} placeholder=${standard} ...${given} />`;
  }
  return html`<input placeholder=${parameter.type === 'list' ? `A+B (${standard})` : standard} ...${given} />`;
}

/** One field for every parameter; `entered` maps names to what was typed. */
export function Parameters({ method, entered, onChange, columns = [] }) {
  if (!method) return null;
  return html`${method.about && html`<p class="mute small">${method.about}${method.reference && ` [${method.reference}]`}</p>`}
    ${method.parameters.map((parameter) => html`<label key=${parameter.name}><span><b class="strong">${parameter.name}</b>${parameter.required && ' (needed)'}</span>
      <${Field} parameter=${parameter} value=${entered[parameter.name]} columns=${columns} onInput=${(value) => onChange({ ...entered, [parameter.name]: value })} />
      <span class="why">${parameter.about}${limits(parameter) && `; ${limits(parameter)}`}</span></label>`)}`;
}

/** A whole number with buttons for less and more. */
export function Stepper({ value, least = 1, most = 1e9, label, input, onChange }) {
  const set = (next) => Number.isFinite(next) && onChange(Math.max(least, Math.min(most, Math.round(next))));
  return html`<span class="stepper">
    <button type="button" aria-label="Less: ${label}" disabled=${value <= least} onClick=${() => set(value - 1)}>−</button>
    <input ref=${input} type="number" min=${least} max=${most} value=${value} aria-label=${label} onChange=${(event) => set(event.target.valueAsNumber)} />
    <button type="button" aria-label="More: ${label}" onClick=${() => set(value + 1)}>+</button>
  </span>`;
}
