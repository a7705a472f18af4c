// Messages in the corner, and problems inside a screen: what happened and what to do.
import { html } from '../html.js';
import { useStore, dismiss, changeJob, update } from '../store.js';
import { address } from '../router.js';

/** The address of the screen that a piece of advice links to. */
function place({ screen, column, control }) {
  if (screen === 'hierarchies') return address(screen, column ? [column] : []);
  return address(screen, [], control === 'export' ? { export: 'new' } : { column, control });
}

/** A piece of advice: a link to the control that it is about, if the page has one. */
export function Advised({ text, link }) {
  if (!link) return text;
  if (link.screen === 'job') return html`<button type="button" class="link" onClick=${() => update({ dialog: 'job' })}>${text}</button>`;
  return html`<a href=${place(link)}>${text}</a>`;
}

/** Advice, with a button if a goal can be lowered in one click. */
function Advice({ advice = [], attainable, onTaken }) {
  const take = async () => {
    await changeJob(attainable.change);
    onTaken?.();
  };
  return html`${advice.map((one) => html`<p key=${one.text}><${Advised} ...${one} /></p>`)}
    ${attainable && html`<p><button type="button" class="link" onClick=${take}>${attainable.about}</button></p>`}`;
}

export function Trouble({ problem, onAgain, children }) {
  const error = problem.error ?? problem;
  return html`<div class="note bad" role="alert">
    <p class="strong">${error.message}${error.line != null && ` (line ${error.line})`}</p>
    <${Advice} advice=${error.advice} attainable=${error.attainable} />
    ${children}
    ${onAgain && html`<p><button type="button" class="link" onClick=${onAgain}>Try again</button></p>`}
  </div>`;
}

/** Words instead of a bare spinner. */
export const Working = ({ children }) => html`<p class="working" role="status">${children}</p>`;

export function Messages() {
  const { messages } = useStore();
  return html`<div class="messages" role="log" aria-live="polite" aria-label="Messages">
    ${messages.map((message) => html`<div class="note ${message.kind}" key=${message.id} role=${message.kind === 'bad' ? 'alert' : null}>
      <div><p class=${message.advice.length ? 'strong' : ''}>${message.text}</p>
        <${Advice} ...${message} onTaken=${() => dismiss(message.id)} /></div>
      <button type="button" class="link" onClick=${() => dismiss(message.id)}>Close</button>
    </div>`)}
  </div>`;
}
