// Dialogs that keep the focus inside and give it back.
import { html, useEffect, useRef, useId, useState } from '../html.js';

export function Dialog({ title, onClose, children, footer, kind = '', label }) {
  const [element, id] = [useRef(null), useId()];
  useEffect(() => {
    const before = document.activeElement;
    if (!element.current.open) element.current.showModal();
    return () => before?.focus?.();
  }, []);
  const onClick = (event) => event.target === element.current && onClose();
  return html`<dialog ref=${element} class=${kind} aria-labelledby=${title ? id : null} aria-label=${label}
      onCancel=${(event) => { event.preventDefault(); onClose(); }} onMouseDown=${onClick}>
    ${title && html`<header><h2 id=${id}>${title}</h2>
      <button type="button" class="btn ghost slim" onClick=${onClose}>Close <kbd>Esc</kbd></button></header>`}
    ${children}
    ${footer && html`<footer>${footer}</footer>`}
  </dialog>`;
}

/** Asks for a text, such as the new name of a node. */
export function Prompt({ title, label, value = '', action = 'OK', onDone, onClose, why }) {
  const [text, setText] = useState(value);
  const submit = (event) => { event.preventDefault(); onDone(text); };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form onSubmit=${submit}><div class="pad form">
      <label>${label}<input class="field" autofocus value=${text} onInput=${(event) => setText(event.target.value)} /></label>
      ${why && html`<p class="why">${why}</p>`}
    </div><footer class="row end pad"><button type="button" class="btn" onClick=${onClose}>Leave it</button>
      <button class="btn pri">${action}</button></footer></form>
  <//>`;
}
