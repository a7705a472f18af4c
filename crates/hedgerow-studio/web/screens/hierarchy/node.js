// The selected node with its edits, the preview of an edit, and the history.
import { html, useState, useEffect } from '../../html.js';
import { api, hierarchyPath } from '../../api.js';
import { tell, complain, touch } from '../../store.js';
import { step } from '../../commands.js';
import { Term } from '../../parts/term.js';
import { Trouble, Working } from '../../parts/messages.js';
import { Asking, OPERATIONS } from './operations.js';
import { weightsText } from './rank.js';
import { count, loss, many, percent } from '../../format.js';

/** Says whether a figure gets better; less is better for all but none. */
function Change({ now, then, digits = 4, isNeutral = false }) {
  if (now == null || then == null) return html`<span class="pill">–</span>`;
  const by = then - now;
  if (Math.abs(by) < 10 ** -digits / 2) return html`<span class="pill ok">same</span>`;
  const text = `${by > 0 ? '+' : '−'}${Math.abs(by).toFixed(digits)}`;
  return html`<span class="pill ${isNeutral ? '' : by < 0 ? 'ok' : 'warn'}">${text}</span>`;
}

function Figures({ preview, k }) {
  const { now, then } = preview;
  const line = (name, key, write, extra) => html`<tr><td>${name}</td><td class="r mute">${write(now[key])}</td><td class="r strong">${write(then[key])}</td><td class="r"><${Change} now=${now[key]} then=${then[key]} ...${extra} /></td></tr>`;
  return html`<table class="figures"><thead><tr><td></td><th class="r">now</th><th class="r">then</th><td></td></tr></thead><tbody>
    ${line(html`<${Term} word="loss" about="Mean share of the column's range or values that a published value covers, in a trial release of 1,000 records with all hierarchies. 0: nothing is lost.">Loss of the column<//>`, 'loss', loss, {})}
    ${line(html`<${Term} word="release" about="Loss (NTIL) of the same trial release.">Loss of the release<//>`, 'release_loss', loss, {})}
    ${line('Height', 'height', count, { digits: 0, isNeutral: true })}
    ${line('Nodes', 'nodes', count, { digits: 0, isNeutral: true })}
    ${line(`All have ≥ ${k} from level`, 'lowest_level', count, { digits: 0, isNeutral: true })}
    ${line(`Place by loss, of ${then.of}`, 'place', count, { digits: 0 })}
    ${then.ranked > 1 && line(`Place by four aspects, of ${then.ranked}`, 'rank', count, { digits: 0 })}
  </tbody></table>
  ${then.lint.length > 0 && html`<div class="pad"><div class="note warn">${then.lint.map((text) => html`<p key=${text}>${text}</p>`)}</div></div>`}`;
}

/** Asks for the preview of an operation, a moment after it last changed. */
function usePreview(column, candidate, version, operation, weights) {
  const [answer, setAnswer] = useState({ preview: null, error: null, isBusy: false });
  useEffect(() => {
    if (!operation) {
      setAnswer({ preview: null, error: null, isBusy: false });
      return undefined;
    }
    const control = new AbortController();
    setAnswer((before) => ({ ...before, error: null, isBusy: true }));
    api.post(hierarchyPath(column, candidate, '/edits/preview'), { version, operation, weights }, control.signal).then(
      (preview) => !control.signal.aborted && setAnswer({ preview, error: null, isBusy: false }),
      (error) => !control.signal.aborted && setAnswer({ preview: null, error, isBusy: false }),
    );
    return () => control.abort();
  }, [column, candidate, version, weights, JSON.stringify(operation)]);
  return answer;
}

export function Preview({ column, candidate, version, k, weights, draft, onDone }) {
  const { preview, error, isBusy } = usePreview(column, candidate, version, draft, weightsText(weights));
  const [isApplying, setApplying] = useState(false);
  const apply = async () => {
    setApplying(true);
    try {
      const edited = await api.post(hierarchyPath(column, candidate, '/edits'), { version, operation: draft });
      tell(`${edited.about}. Ctrl Z takes it back.`);
      onDone();
      touch(['hierarchies']);
    } catch (problem) {
      complain(problem);
      if (problem.kind === 'stale') touch(['hierarchies']);
    }
    setApplying(false);
  };
  useEffect(() => {
    const onKey = (event) => {
      if (document.querySelector('dialog[open]') || event.target.closest?.('button, a, input, textarea, select')) return;
      if (event.key === 'Enter' && preview && !isApplying) { event.preventDefault(); apply(); }
      if (event.key === 'Escape') { event.preventDefault(); onDone(); }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return html`<section class="card preview" aria-labelledby="preview" aria-live="polite" aria-busy=${isBusy}>
    <header><h2 id="preview">${preview ? preview.about : 'What the edit changes'}</h2><span class="grow"></span>${preview && html`<span class="tiny mute num">${preview.milliseconds.toFixed(0)} ms</span>`}</header>
    ${error && html`<div class="pad"><${Trouble} problem=${error} /></div>`}
    ${preview ? html`<${Figures} preview=${preview} k=${k} />` : !error && html`<div class="pad" aria-busy="true"><${Working}>Trying it on a copy<//></div>`}
    <div class="row pad"><button type="button" class="btn pri grow" disabled=${!preview || isApplying} onClick=${apply}>Apply <kbd>Enter</kbd></button><button type="button" class="btn" onClick=${onDone}>Drop <kbd>Esc</kbd></button></div>
  </section>`;
}

export function NodeCard({ tree, at, isEditable, suited, asked, onAsk, onMake, k }) {
  const label = tree.label[at];
  const shown = OPERATIONS.filter((operation) => operation.fits(tree, at));
  const run = (operation) => {
    const made = operation.make(tree, at);
    if (typeof made === 'string') onAsk(made); else if (made) onMake(made);
  };
  const published = tree.published?.[at];
  return html`<section class="card" aria-labelledby="node">
    <div class="pad stack"><div class="row wrap"><h2 id="node" class="grow">${label}</h2>${published > 0 && html`<span class="pill blue">${count(published)} published as this</span>`}${tree.count[at] < k && html`<span class="pill warn">fewer than k = ${k}</span>`}</div>
      <p class="mute small">${many(tree.count[at], 'record')}, ${many(tree.end[at] - tree.start[at], 'value')}, ${percent(tree.count[at] / Math.max(1, tree.count[0]))} of all${tree.concept?.[at] ? ` · ${tree.concept[at]}` : ''}</p>
      ${isEditable ? html`<div class="ops">${shown.map((operation) => html`<button type="button" class="op" key=${operation.name} onClick=${() => run(operation)}><span>${operation.name}</span><kbd>${operation.key}</kbd></button>`)}</div>`
        : html`<p class="note">This hierarchy cannot be edited here: only trees can.</p>`}</div>
    ${asked && html`<${Asking} name=${asked} tree=${tree} at=${at} suited=${suited} onMake=${onMake} onClose=${() => onAsk(null)} />`}
  </section>`;
}

export function History({ history, method }) {
  const { done, undone } = history;
  return html`<section class="card" aria-labelledby="edits"><header><h2 id="edits">Edits</h2><span class="grow"></span>
      <button type="button" class="btn slim" disabled=${!done.length} onClick=${() => step('undo')}>Undo <kbd>Ctrl Z</kbd></button>
      <button type="button" class="btn slim" disabled=${!undone.length} onClick=${() => step('redo')}>Redo</button></header>
    <ol class="history" reversed>
      ${[...undone].reverse().map((edit) => html`<li key=${`u${edit.number}`} class="mute"><span class="num tiny">${edit.number}</span> <s>${edit.about}</s></li>`)}
      ${[...done].reverse().map((edit) => html`<li key=${edit.number}><span class="num tiny mute">${edit.number}</span> ${edit.about}</li>`)}
      <li class="mute"><span class="num tiny">0</span> ${method}</li>
    </ol>${history.file && done.length + undone.length > 0 && html`<p class="pad mute tiny">Kept in ${history.file}</p>`}</section>`;
}
