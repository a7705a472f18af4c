// Choosing a file below the start folder, or one from elsewhere on this computer.
import { html, useState } from '../html.js';
import { useApi } from '../store.js';
import { Trouble, Working } from './messages.js';
import { bytes } from '../format.js';

const parentOf = (folder) => folder.split('/').slice(0, -1).join('/');

/** Lists files of the kinds; `onPick` gets the path of one. */
export function Files({ kinds, onPick }) {
  const [folder, setFolder] = useState('');
  const { data, error, isBusy } = useApi(`/api/files?folder=${encodeURIComponent(folder)}`);
  if (error) return html`<${Trouble} problem=${error} />`;
  if (!data) return isBusy && html`<${Working}>Listing files<//>`;
  const files = data.files.filter((file) => kinds.includes(file.kind));
  const folderName = (name) => (folder ? `${folder}/${name}` : name);
  return html`<ul class="files" aria-label="Files in ${folder || 'the start folder'}">
    ${folder && html`<li><button type="button" class="file-row" onClick=${() => setFolder(parentOf(folder))}><span>up to ${parentOf(folder) || 'the start folder'}</span></button></li>`}
    ${data.folders.map((name) => html`<li key=${`${name}/`}><button type="button" class="file-row" onClick=${() => setFolder(folderName(name))}><span>${name}/</span><span class="mute tiny">folder</span></button></li>`)}
    ${files.map((file) => html`<li key=${file.path}><button type="button" class="file-row" onClick=${() => onPick(file.path)}><b class="strong">${file.name}</b><span class="mute tiny">${bytes(file.bytes)}${kinds.length > 1 ? `, ${file.kind}` : ''}</span></button></li>`)}
    ${!files.length && !data.folders.length && html`<li class="mute pad">There is no ${kinds.join(' or ')} here.</li>`}
  </ul>`;
}
