// The role of a column: a switch of four, and the rarer roles in a list next to it.
import { html } from '../html.js';

export const ROLES = {
  identifier: { name: 'Identifier', about: 'Names a person on its own, such as a name or a number. It is left out of the release.' },
  quasi: { name: 'Quasi', about: 'A quasi-identifier: others may know it of a person, such as age or sex. It is generalized.' },
  sensitive: { name: 'Sensitive', about: 'What must not be learned about a person, such as a diagnosis. It is published, and privacy models protect it.' },
  keep: { name: 'Keep', about: 'Published as it is, because others do not know it of a person and it is not secret.' },
};
export const OTHERS = { drop: 'Leave out', class: 'To predict (class)', person: 'Whose record it is', undecided: 'Undecided' };

export const roleName = (role) => ROLES[role]?.name ?? OTHERS[role] ?? role;

export function RoleSwitch({ column, role, suggested, onChoose }) {
  const name = `role-${column}`;
  const isOther = role in OTHERS && role !== 'undecided';
  return html`<span class="roles row wrap">
    <span class="seg" role="radiogroup" aria-label="Role of ${column}${role === 'undecided' ? `, undecided${suggested === 'undecided' ? '' : `, suggested: ${roleName(suggested)}`}` : ''}">
      ${Object.entries(ROLES).map(([key, { name: text, about }]) => {
        const isHint = role === 'undecided' && key === suggested;
        return html`<label key=${key} title=${about} class=${role === key ? `on ${key}` : isHint ? 'hint' : ''}>
          <input type="radio" name=${name} value=${key} checked=${role === key} onChange=${() => onChoose(key)} aria-label=${text} />${text}</label>`;
      })}
    </span>
    <select class="field other ${isOther ? 'on' : ''}" aria-label="Other role of ${column}" value=${isOther ? role : ''}
      onChange=${(event) => onChoose(event.target.value || 'undecided')}>
      <option value="">${isOther ? 'none' : 'other'}</option>
      ${Object.entries(OTHERS).map(([key, text]) => html`<option key=${key} value=${key}>${text}</option>`)}
    </select>
  </span>`;
}
