// Small charts that are drawn in the page: bars, stacked bars and sparklines. All are SVG, so no
// style attribute is needed.
import { html } from '../html.js';

/** A bar that fills `share` of its width. */
export function Bar({ share, fill = 'f-acc', kind = '', label }) {
  const width = Math.max(0, Math.min(1, share ?? 0)) * 100;
  return html`<svg class="bar ${kind}" viewBox="0 0 100 10" preserveAspectRatio="none" role=${label ? 'img' : null}
    aria-label=${label} aria-hidden=${label ? null : 'true'}><rect class=${fill} width=${width} height="10" /></svg>`;
}

/** Shares next to each other: `[{ share, label }]`. */
export function Stacked({ parts, label, kind = 'tall' }) {
  let from = 0;
  const drawn = parts.map((part, index) => {
    const rect = html`<rect key=${part.label} class="f-s${Math.min(index, 4)}" x=${from} width=${part.share * 100} height="10" />`;
    from += part.share * 100;
    return rect;
  });
  return html`<svg class="bar ${kind}" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${label}>${drawn}</svg>`;
}

/** The histogram of a column as small bars. */
export function Spark({ bins, label }) {
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const step = 100 / Math.max(bins.length, 8);
  return html`<svg class="spark" viewBox="0 0 100 26" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${bins.map((bin, index) => {
      const height = bin.count ? Math.max(1, (bin.count / most) * 26) : 0;
      return html`<rect key=${index} x=${index * step} y=${26 - height} width=${step * 0.84} height=${height} />`;
    })}</svg>`;
}
