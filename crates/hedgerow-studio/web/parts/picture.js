// Charts that the server draws. Only shapes, text and their plain attributes are taken over, so
// markup cannot become code.
import { html, useRef, useLayoutEffect } from '../html.js';

const SHAPES = new Set(['svg', 'g', 'path', 'rect', 'circle', 'line', 'polyline', 'polygon', 'text', 'tspan', 'title', 'desc', 'ellipse', 'clippath', 'defs']);
const REFUSED = /^(on|style$|href$|xlink)/i;

/** Copies an element of a parsed picture, without anything that is not a shape. */
function copied(element) {
  if (!SHAPES.has(element.localName.toLowerCase())) return null;
  const copy = document.createElementNS('http://www.w3.org/2000/svg', element.localName);
  for (const { name, value } of element.attributes) {
    if (!REFUSED.test(name) && name !== 'xmlns') copy.setAttribute(name, value);
  }
  for (const child of element.childNodes) {
    const below = child.nodeType === Node.TEXT_NODE ? document.createTextNode(child.data) : child.nodeType === Node.ELEMENT_NODE ? copied(child) : null;
    if (below) copy.append(below);
  }
  return copy;
}

/** The picture of an SVG text, or null if it is none. */
export function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return parsed.localName === 'svg' ? copied(parsed) : null;
}

/** A drawn chart; `onPick` gets the title of the shape that is clicked. */
export function Picture({ svg, label, onPick, kind = '' }) {
  const place = useRef(null);
  useLayoutEffect(() => {
    const drawn = svg ? picture(svg) : null;
    if (drawn && label) {
      drawn.setAttribute('role', 'img');
      drawn.setAttribute('aria-label', label);
    }
    place.current.replaceChildren(...(drawn ? [drawn] : []));
  }, [svg, label]);
  const onClick = onPick && ((event) => {
    const title = event.target.querySelector?.('title');
    if (title) onPick(title.textContent);
  });
  return html`<div class="picture ${kind}" ref=${place} onClick=${onClick}></div>`;
}
