// Formats of numbers and names on every screen.

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SOME = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** A count with separators: 45,222. */
export const count = (n) => (n == null ? '–' : WHOLE.format(n));

/** A number as on an axis: at most two digits after the point. */
export const number = (n) => (n == null ? '–' : SOME.format(n));

/** A share as a percentage with one digit: 32.9%. */
export function percent(share, digits = 1) {
  if (share == null) return '–';
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1%';
  return `${value.toFixed(value >= 99.95 || value === 0 ? 0 : digits)}%`;
}

/** A loss with four digits, as the command line prints it. */
export const loss = (value) => (value == null ? '–' : value.toFixed(4));

/** `3 columns`, `1 column`. */
export const many = (n, one, more = `${one}s`) => `${count(n)} ${n === 1 ? one : more}`;

/** `age, sex and race`. */
export function listed(words, last = 'and') {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`;
}

/** Seconds as 0:07 or 1.8 s. */
export function duration(seconds) {
  if (seconds == null) return '–';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

export function bytes(n) {
  if (n < 1000) return `${n} bytes`;
  const units = ['kB', 'MB', 'GB'];
  const step = Math.min(Math.floor(Math.log10(n) / 3), 3);
  return `${(n / 1000 ** step).toFixed(1)} ${units[step - 1]}`;
}

/** A day, counted from 1970-01-01, as a date. */
export function day(days) {
  const date = new Date(days * 86400000);
  return Number.isNaN(date.getTime()) ? number(days) : date.toISOString().slice(0, 10);
}

/** Names of the kinds of columns. */
export const KINDS = { number: 'number', date: 'date', code: 'code', text: 'words', nested: 'nested', binary: 'binary' };
