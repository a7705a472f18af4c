// Preact with hooks, and templates by htm: the one place that names the vendored files.
import { h, render, Fragment } from './vendor/preact.js';
import htm from './vendor/htm.js';

export { h, render, Fragment };
export { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useId } from './vendor/hooks.js';
export const html = htm.bind(h);
