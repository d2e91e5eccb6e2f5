import { escaped } from '@parley/runtime/html';
import { badge, colourClass, durationText, spanNameOf } from './markup.ts';
import type { Span } from './otlp.ts';
import type { Trace } from './store.ts';
import { rowsOf, type Row, type Summary } from './tree.ts';

const rowsMax = 1_000;
/** Deeper spans are indented no further. */
const depthMax = 12;
const width = 1_000;
const barWidthMin = 3;

/** Returns the spans of a trace as rows with bars. A row opens to show the attributes of its span. */
export function waterfall(trace: Trace, summary: Pick<Summary, 'startMs' | 'durationMs'>): string {
  const rows = rowsOf(trace);
  const items = rows.slice(0, rowsMax).map((row) => `<li>${rowOf(row, summary)}</li>`);
  const rest = rows.length > rowsMax ? `<p>${rows.length - rowsMax} more spans are not shown.</p>` : '';
  return `<ol class="waterfall">${items.join('\n')}</ol>${rest}`;
}

// Positions are attributes of SVG, because the page allows no inline styles.
function rowOf(
  { span, depth }: Row,
  { startMs, durationMs }: Pick<Summary, 'startMs' | 'durationMs'>,
): string {
  const offsetMs = span.startMs - startMs;
  const spanMs = Math.max(0, span.endMs - span.startMs);
  const scale = width / Math.max(durationMs, 0.001);
  const barWidth = Math.max(spanMs * scale, barWidthMin);
  const x = Math.min(offsetMs * scale, width - barWidth);
  const state = span.isError ? ' <span class="error">failed</span>' : '';
  return `<details><summary>
<span class="what d${Math.min(depth, depthMax)}">${badge(span.service)} <span class="name">${titleOf(span)}</span>${state}</span>
<svg class="bar ${colourClass(span.service)}" viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true">
<rect x="${x.toFixed(1)}" y="1" width="${barWidth.toFixed(1)}" height="8"/></svg>
<span class="number"><span class="offset">+${durationText(offsetMs)}</span> <span>${durationText(spanMs)}</span></span>
</summary>${details(span)}</details>`;
}

/** Returns the title of a span: its statement, because all statements have one name. */
function titleOf(span: Span): string {
  const statement = span.attributes['db.query.text'];
  if (statement !== undefined) return escaped(statement.replace(/\s+/g, ' ').trim().slice(0, 120));
  return span.kind === 'client' && span.attributes['rpc.method']
    ? `call ${spanNameOf(span)}`
    : spanNameOf(span);
}

function details({ spanId, kind, attributes }: Span): string {
  const facts = { 'span id': spanId, kind, ...attributes };
  const rows = Object.entries(facts).map(
    ([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`,
  );
  return `<dl class="attributes">${rows.join('')}</dl>`;
}
