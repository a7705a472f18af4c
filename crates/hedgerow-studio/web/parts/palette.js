// Ctrl K: finds columns, values, nodes, runs, words, commands and keys.
import { html, useState, useEffect, useRef } from '../html.js';
import { api } from '../api.js';
import { address, go } from '../router.js';
import { Dialog } from './dialog.js';
import { tell } from '../store.js';
import { meaning } from './term.js';
import { allKeys } from '../keys.js';
import { command, COMMANDS } from '../commands.js';

/** Keys of the screen that are called like the typed text, or do what it says. */
function keysFor(typed, words) {
  if (!words.length) return [];
  const named = (key) => [key].flat().some((one) => one.toLowerCase() === typed.trim().toLowerCase());
  return allKeys().filter(({ key, about }) => named(key) || words.every((word) => about.toLowerCase().includes(word)))
    .map(({ key, about, run }) => ({ kind: 'key', text: about, detail: [key].flat().join(' or '), run }));
}

/** Commands and keys that contain the typed words; they need no server. */
function matching(typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const commands = Object.entries(COMMANDS).filter(([, about]) => words.every((word) => about.toLowerCase().includes(word)))
    .map(([name, about]) => ({ kind: 'command', text: about, detail: 'command', command: name }));
  return [...commands, ...keysFor(typed, words)];
}

function follow(hit) {
  if (hit.kind === 'command') return command(hit.command);
  if (hit.kind === 'key') return hit.run();
  if (hit.kind === 'word') return tell(`${hit.text}: ${meaning(hit.text) ?? hit.detail}`);
  if (hit.kind === 'run') return go(address('release', [], { run: hit.run }));
  if (hit.candidate != null) return go(address('hierarchies', [hit.column, hit.candidate], { node: hit.node }));
  // A value of a column without a hierarchy has no node, and values are never part of an address.
  return go(address('table', [], { column: hit.column }));
}

export function Palette({ onClose }) {
  const [typed, setTyped] = useState('');
  const [hits, setHits] = useState(matching(''));
  const [at, setAt] = useState(0);
  const list = useRef(null);
  useEffect(() => {
    const ours = matching(typed);
    setHits(ours);
    setAt(0);
    if (!typed.trim()) return undefined;
    const control = new AbortController();
    api.post('/api/search', { q: typed }, control.signal).then(
      (answer) => !control.signal.aborted && setHits([...answer.hits.filter((hit) => hit.kind !== 'command'), ...ours]),
      () => {},
    );
    return () => control.abort();
  }, [typed]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at, hits]);
  const choose = (hit) => {
    onClose();
    if (hit) setTimeout(() => follow(hit));
  };
  const onKeyDown = (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(hits.length - 1, at + steps[event.key])));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(hits[at]);
    }
  };
  return html`<${Dialog} kind="palette" label="Search" onClose=${onClose}>
    <input autofocus role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${hits[at] ? `found-${at}` : null} aria-label="Search columns, values, nodes, commands and keys"
      placeholder="Columns, values, nodes, runs, words, commands, keys" maxlength="200" value=${typed} onInput=${(event) => setTyped(event.target.value)} onKeyDown=${onKeyDown} />
    <ul id="found" role="listbox" aria-label="Found" ref=${list}>
      ${hits.map((hit, index) => html`<li key=${index} id="found-${index}" role="option" aria-selected=${index === at} onMouseMove=${() => setAt(index)} onClick=${() => choose(hit)}>
        <span>${hit.text}</span><span class="mute tiny">${hit.kind === 'command' ? 'command' : `${hit.kind} · ${hit.detail}`}</span></li>`)}
    </ul>
    ${!hits.length && html`<p class="pad mute">Nothing has “${typed}” in it. Try a column, a value or a command such as “run”.</p>`}
  <//>`;
}
