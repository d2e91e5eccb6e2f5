import { escaped } from '@parley/runtime/html';
import { badge, durationText, nameOf, timeText } from './markup.ts';
import type { Trace } from './store.ts';
import { summaryOf, type Summary } from './tree.ts';
import { waterfall } from './waterfall.ts';

const rowsMax = 200;
const relatedMax = 50;
/** A batch of events may be of many interactions. */
const interactionsMax = 10;

const nothingYet = 'Nothing yet. Call the API or talk to a bot, then reload this page.';
const notFound = 'A trace appears when its spans have ended, and only the newest are kept in memory.';

/** What a list shows: traces with an id, or all. Long polls only on request. */
export interface Filter {
  id: string | undefined;
  withPolls: boolean;
}

export function listPage(traces: readonly Trace[], { id, withPolls }: Filter): string {
  const summaries = traces.flatMap((trace) => summaryOf(trace) ?? []);
  summaries.sort((one, other) => other.startMs - one.startMs);
  const shown = summaries.filter(({ isPoll }) => withPolls || !isPoll);
  const hidden = summaries.length - shown.length;
  const query = id === undefined ? '' : `q=${encodeURIComponent(id)}`;
  const polls = `<a href="/traces?${escaped([query, 'polls=1'].filter(Boolean).join('&'))}">show them</a>`;
  const notes = [
    `${count(shown.length, 'trace')}${id === undefined ? '' : ` with the id ${code(id)}`}`,
    ...(shown.length > rowsMax ? [`the newest ${rowsMax} are shown`] : []),
    ...(hidden > 0 ? [`${count(hidden, 'long poll')} left out: ${polls}`] : []),
    ...(id === undefined ? [] : ['<a href="/traces">all traces</a>']),
  ];
  const table =
    shown.length > 0
      ? tableOf(shown.slice(0, rowsMax))
      : `<p class="empty">${id === undefined ? nothingYet : notFound}</p>`;
  return page('Traces', id, `<h1>Traces</h1><p class="notes">${notes.join(' · ')}</p>${table}`);
}

/** Returns the page of one trace. `find` returns the traces with an id, newest first. Undefined: it cannot be shown. */
export function tracePage(trace: Trace, find: (id: string) => Trace[]): string | undefined {
  const summary = summaryOf(trace);
  if (!summary) return undefined;
  const { first, ids } = summary;
  const others = [...new Set(ids.interaction.slice(0, interactionsMax).flatMap(find))]
    .filter(({ traceId }) => traceId !== trace.traceId)
    .flatMap((one) => summaryOf(one) ?? [])
    .filter(({ isPoll }) => !isPoll);
  const versions = [...new Set(trace.spans.map(({ version }) => version ?? '').filter(Boolean))];
  const facts: [string, string][] = [
    ['Started', `${timeText(summary.startMs)} UTC`],
    ['Duration', durationText(summary.durationMs)],
    ['Trace id', code(trace.traceId)],
    ['Request id', ids.request.map(link).join(', ')],
    ['Interaction', ids.interaction.map(link).join(', ')],
    ['Workspace', ids.workspace.map(link).join(', ')],
    ['Version', versions.map(escaped).join(', ')],
  ];
  const list = facts.map(([name, value]) => (value ? `<div><dt>${name}</dt><dd>${value}</dd></div>` : ''));
  return page(
    first.name,
    undefined,
    `<h1>${nameOf(first)}${stateOf(summary)}</h1>
<dl class="facts">${list.join('')}</dl>
<h2>${count(trace.spans.length, 'span')}</h2>
${waterfall(trace, summary)}
${others.length > 0 ? `<h2>Other traces of this interaction</h2>${tableOf(others.slice(0, relatedMax))}` : ''}`,
  );
}

export function missingPage(): string {
  const text = 'It was evicted, or has not ended. The newest traces are kept in memory until the run stops.';
  return page('No such trace', undefined, `<h1>No such trace</h1><p>${text}</p>`);
}

function tableOf(summaries: readonly Summary[]): string {
  const rows = summaries.map((summary) => {
    const { traceId, first, startMs, durationMs, services, ids } = summary;
    const badges = services.map(badge).join(' ');
    return `<tr><td class="time">${timeText(startMs)}</td>
<td class="name"><a href="/traces/${encodeURIComponent(traceId)}">${nameOf(first)}</a>${stateOf(summary)}</td>
<td class="number">${durationText(durationMs)}</td><td>${badges}</td>
<td class="id">${ids.interaction.slice(0, 1).map(link).join('')}</td></tr>`;
  });
  const heads = ['Time (UTC)', 'Request', 'Duration', 'Services', 'Interaction'];
  return `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** Distinguishes a failed request from one with a failed inner span, such as an attempt that was retried. */
function stateOf({ first, isError }: Summary): string {
  if (!isError) return '';
  return ` <span class="error">${first.isError ? 'failed' : 'failure inside'}</span>`;
}

function link(id: string): string {
  return `<a href="/traces?q=${encodeURIComponent(id)}">${code(id)}</a>`;
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function page(title: string, id: string | undefined, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} - Parley traces</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/traces.css">
</head>
<body>
<header><a class="brand" href="/traces">Parley traces</a>
<form action="/traces" role="search"><label for="q">Id</label>
<input id="q" name="q" value="${escaped(id ?? '')}" placeholder="request, interaction, delivery or trace id" autocomplete="off">
<button>Find</button></form></header>
<main>${content}</main>
</body>
</html>
`;
}
