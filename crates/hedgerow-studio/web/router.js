// Addresses of the page. The address has names of columns and numbers, never values of the table.
import { useState, useEffect, useRef } from './html.js';

export const SCREENS = ['table', 'hierarchies', 'release', 'compare', 'report'];
const listeners = new Set();

/** The parts of the address: the screen, the rest of the path, and the query. */
export function here() {
  const parts = location.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const screen = SCREENS.includes(parts[0]) ? parts[0] : 'table';
  return { screen, rest: parts.slice(1), query: Object.fromEntries(new URLSearchParams(location.search)) };
}

/** Builds an address: `address('hierarchies', ['age', 'otf'], { view: 'outline' })`. */
export function address(screen, rest = [], query = {}) {
  const given = Object.entries(query).filter(([, value]) => value != null && value !== '');
  const search = given.length ? `?${new URLSearchParams(given)}` : '';
  return `/${[screen, ...rest.map(encodeURIComponent)].join('/')}${search.replaceAll('%2C', ',')}`;
}

/** Goes to an address without loading the page; `replace` leaves no step in the history. */
export function go(to, replace = false) {
  if (to === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  listeners.forEach((listener) => listener());
}

addEventListener('popstate', () => listeners.forEach((listener) => listener()));

// Links stay links: they can be opened in another tab. A plain click does not reload the page.
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="/"]');
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.target || link.hasAttribute('download') || event.defaultPrevented) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});

export function useRoute() {
  const [route, setRoute] = useState(here);
  useEffect(() => {
    const listener = () => setRoute(here());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return route;
}

/** A reference to a control, which gets the focus while the address names it. */
export function useControl(name) {
  const element = useRef(null);
  const isWanted = useRoute().query.control === name;
  useEffect(() => {
    if (!isWanted) return;
    element.current?.focus();
    element.current?.scrollIntoView({ block: 'center' });
  }, [isWanted]);
  return element;
}
