// The job file as text: the state of the work, which can be edited in place.
import { html, useState, useEffect } from '../html.js';
import { api } from '../api.js';
import { setState, tell, touch, useApi } from '../store.js';
import { Dialog } from './dialog.js';
import { Trouble, Working } from './messages.js';
import { Sure } from './open.js';

export function JobFile({ onClose }) {
  const { data, error } = useApi('/api/job/text', ['job']);
  const [text, setText] = useState(null);
  const [problem, setProblem] = useState(null);
  // The number of runs that saving would drop, while the page asks.
  const [runs, setRuns] = useState(0);
  useEffect(() => {
    if (data) {
      setText(data.toml);
      setProblem(data.problem);
    }
  }, [data]);
  const save = async (isSure = false) => {
    setRuns(0);
    setProblem(null);
    try {
      setState(await api.put('/api/job/text', { toml: text, drop_runs: isSure }));
      touch(['table', 'job', 'hierarchies', 'runs']);
      tell('The job file was saved.');
      onClose();
    } catch (caught) {
      if (caught.runs) setRuns(caught.runs);
      else setProblem(caught);
    }
  };
  const isChanged = data && text !== data.toml;
  return html`<${Dialog} kind="wide" title=${data?.path ?? 'Job file'} onClose=${onClose} footer=${html`
      <button type="button" class="btn" onClick=${onClose}>Close</button>
      <button type="button" class="btn pri" disabled=${!isChanged} onClick=${() => save()}>Save</button>`}>
    <div class="pad">
      <p class="mute small">Everything that you choose here is in this file. <code>hedgerow anonymize --job ${data?.path ?? 'FILE'}</code> gives the same release.</p>
      ${error && html`<${Trouble} problem=${error} />`}
      ${problem && html`<${Trouble} problem=${problem} />`}
      ${runs > 0 && html`<${Sure} doing="Saving this job" action="Save it" n=${runs} onYes=${() => save(true)} onStay=${() => setRuns(0)} />`}
      ${text == null ? !error && html`<${Working}>Reading the job file<//>` : html`<textarea class="field code" rows="18" spellcheck="false" aria-label="Text of the job file" value=${text} onInput=${(event) => setText(event.target.value)}></textarea>`}
    </div>
  <//>`;
}
