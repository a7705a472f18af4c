// Keys: each screen registers its own, and the list that `?` shows is made of them.
import { useEffect, useRef } from './html.js';

const layers = [];

/** `Ctrl K`, `Shift Tab`, `R`, `Delete`: the name of a key here and on the page. */
export function nameOf(event) {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key)) ? 'Shift ' : '';
  return `${event.ctrlKey || event.metaKey ? 'Ctrl ' : ''}${event.altKey ? 'Alt ' : ''}${shift}${key}`;
}

const isTyping = (target) => Boolean(target.closest?.('input:not([type=radio],[type=checkbox],[type=range]), textarea, select'));

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
  const name = nameOf(event);
  if (isTyping(event.target) && !name.startsWith('Ctrl ')) return;
  if (isTyping(event.target) && ['Ctrl Z', 'Ctrl Y', 'Ctrl Shift Z'].includes(name)) return;
  // Arrows choose among radio buttons and move sliders.
  if (name.startsWith('Arrow') && event.target.closest?.('input')) return;
  // Enter and Space press the button that has the focus.
  if ((name === 'Enter' || name === ' ') && event.target.closest?.('button, a, summary, [role=radio], input')) return;
  for (const layer of [...layers].reverse()) {
    const found = layer.current.find((key) => [key.key].flat().includes(name) && !key.isOff);
    if (found) {
      event.preventDefault();
      found.run(event);
      return;
    }
  }
});

/** Registers keys while a part is shown: `[{ key, about, run, isOff }]`. */
export function useKeys(keys) {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.push(layer);
    return () => layers.splice(layers.indexOf(layer), 1);
  }, []);
}

/** All keys that do something now, those of the screen first. */
export const allKeys = () => [...layers].reverse().flatMap((layer) => layer.current).filter((key) => key.about && !key.isOff);
