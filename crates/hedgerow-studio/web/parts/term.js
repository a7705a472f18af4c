// A word of the field that explains itself on hover, on focus and on a tap.
import { html, useState, useRef, useLayoutEffect, useId } from '../html.js';
import { store } from '../store.js';

/** What a method of a registry is about, by its name. */
const described = (word) => Object.values(store.methods ?? {}).flat().find((method) => method?.name === word)?.about;

/** The meaning of a word: that of the glossary, also of the singular, or else what the method of this name is about. */
export function meaning(word) {
  const small = word.toLowerCase();
  return store.glossary.get(small) ?? store.glossary.get(small.replace(/s$/, '')) ?? described(word) ?? null;
}

/** Places a tip below its word, or above it where there is no room, inside the window. */
function place(tip, word) {
  const at = word.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
  const below = at.bottom + 6;
  tip.style.left = `${left}px`;
  tip.style.top = `${below + height > innerHeight ? Math.max(8, at.top - height - 6) : below}px`;
}

/** `word` is looked up in the glossary, or `about` says it directly. */
export function Term({ word, about, children }) {
  const [isOpen, setOpen] = useState(false);
  const [button, tip, id] = [useRef(null), useRef(null), useId()];
  const text = about ?? meaning(word);
  useLayoutEffect(() => {
    if (isOpen && tip.current) place(tip.current, button.current);
  }, [isOpen]);
  if (!text) return html`<span>${children ?? word}</span>`;
  const close = () => setOpen(false);
  const onKey = (event) => event.key === 'Escape' && isOpen && (event.stopPropagation(), close());
  return html`<button type="button" class="term" ref=${button} aria-describedby=${isOpen ? id : null}
    onMouseEnter=${() => setOpen(true)} onMouseLeave=${close} onFocus=${() => setOpen(true)} onBlur=${close}
    onClick=${(event) => { event.preventDefault(); setOpen(true); }} onKeyDown=${onKey}>${children ?? word}${isOpen
    && html`<span class="tip" role="tooltip" id=${id} ref=${tip}>${text}</span>`}</button>`;
}
