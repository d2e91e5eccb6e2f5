import type {
  ExportedInteraction,
  ExportInteractionsRequest,
} from '@parley/contracts/interaction/v1/interaction';
import { z } from 'zod';
import { listTimeoutMs } from '../../http/answer/long-list.ts';
import { inWorkspace, type KeyCall, type Route, route } from '../../http/server/route.ts';
import type { CursorList } from '../../http/request/cursor-list.ts';
import type { LoadPart } from '../../http/answer/stream.ts';
import { exportEnd, exportHeader, exportLine, exportRecord, keyColumns } from './present-export.ts';
import { type InteractionReader, readerOfInteractions, requireEvaluationFilters } from './reader.ts';
import { cursorText } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import type { Sealed } from '../../values/personal.ts';
import type { Reader } from '../../values/reader.ts';
import type { RouteDeps } from '../../route-deps.ts';
import { checkedFilters, exportFilters, requestFilters } from './filters.ts';

const exportQuery = checkedFilters(
  z.object({
    format: z
      .enum(['ndjson', 'csv'])
      .default('ndjson')
      .meta({ description: 'CSV needs `botId` or `botKey`' }),
    ...exportFilters.shape,
    cursor: cursorText.meta({
      description:
        'Continues an export with these filters behind the line with this `cursor`; `updatedFrom` may differ',
    }),
  }),
).refine(({ format, botId, botKey }) => format !== 'csv' || botId !== undefined || botKey !== undefined, {
  path: ['botId'],
  error: 'Is required for CSV, or botKey',
});

/** How long an export waits at its end for transactions that may still change the order of the newest changes. */
export const settlingMsMax = 3_000;
const settlingPauseMs = 50;

interface Export {
  request: ExportInteractionsRequest;
  show(row: Sealed<ExportedInteraction>, reader: InteractionReader): string;
  caller: Reader;
  end(rows: number, position: string): string;
}

function pageLoader(
  wanted: Export,
  deps: Pick<RouteDeps, 'interactions'>,
  sent = { rows: 0, settlesUntil: 0 },
): LoadPart {
  const { request, show, caller, end } = wanted;
  return async (rpc) => {
    const page = await deps.interactions.exportInteractions(request, rpc());
    const rows = sent.rows + page.interactions.length;
    const interactions = page.interactions.map(({ interaction }) => interaction);
    const reader = await readerOfInteractions(caller, request.workspaceId, interactions, rpc, deps);
    const text = page.interactions.map((row) => show(row, reader)).join('');
    const settlesUntil = page.hasMore ? 0 : sent.settlesUntil || Date.now() + settlingMsMax;
    if (!page.hasMore && !(page.hasUnsettled && Date.now() < settlesUntil)) {
      return { text: text + end(rows, page.cursor), loadNext: undefined, pauseMs: 0 };
    }
    const pauseMs = page.hasMore ? 0 : settlingPauseMs;
    const next = { ...wanted, request: { ...request, cursor: page.cursor, isFirst: false } };
    return { text, loadNext: pageLoader(next, deps, { rows, settlesUntil }), pauseMs };
  };
}

/** Returns the export that a query asks for, and its first text. */
async function exportOf(
  workspaceId: string,
  { format, cursor = '', ...filters }: z.output<typeof exportQuery>,
  { cursorOf }: CursorList,
  { reader: caller, rpc, isHead }: KeyCall,
  deps: RouteDeps,
): Promise<{ begun: string; wanted: Export }> {
  const withUnsettled = format === 'csv';
  const request = { workspaceId, cursor, withUnsettled, isFirst: !isHead, ...requestFilters(filters) };
  await requireEvaluationFilters(caller, request, rpc, deps);
  if (format === 'ndjson') {
    const show: Export['show'] = (row, reader) =>
      exportLine(row, cursorOf(row.cursor), deps.landingUrl, reader);
    const end: Export['end'] = (rows, position) => exportEnd(rows, cursorOf(position));
    return { begun: '', wanted: { request, show, caller, end } };
  }
  const { botId, botKey } = filters;
  const known = await deps.bots.listEvaluationKeys({ workspaceId, id: botId, key: botKey }, rpc());
  const columns = keyColumns(known);
  const show: Export['show'] = (row, reader) => exportRecord(row, columns, reader);
  return { begun: exportHeader(columns), wanted: { request, show, caller, end: () => '' } };
}

const types = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

export const exportInteractions: Route = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/interactions/export',
  access: 'key',
  scope: 'interactions:read',
  operationId: 'exportInteractions',
  clientMethod: 'interactions.export',
  tag: 'Interactions',
  summary: 'Export interactions as a stream, oldest change first',
  description: `The answer is no envelope. It is as long as there are interactions, and comes as fast as it is read. An
interaction that changes meanwhile can be in it twice.

NDJSON has a line per interaction, with its \`cursor\`. The last line is
\`{"end": true, "rows": N, "cursor": "..."}\`. A stream without it was cut: repeat the call with the \`cursor\` of the
last line that was read in full. Later, the last \`cursor\` returns what has changed since, and misses no change. For
that, changes that are newer than a transaction in progress wait for its end. After the data have moved to another
server or come from a backup, an older \`cursor\` is \`cursor-expired\`: \`detail\` has the \`updatedFrom\` with which an
export without it has all changes since.

CSV (RFC 4180) is UTF-8 with a byte order mark. It has a column for each evaluation key of all versions of the bot,
named as the key. A matrix has a column for each row, \`key.row\`. A key with the name of another column, such as \`status\`, has the column \`evaluation.status\`. A cell
that a spreadsheet would take for a formula begins with \`'\`, and so does each such line of a cell. Cells with a comma, a
semicolon, a TAB, a quotation mark or a line break are in quotation marks. Times are in UTC and end in \`Z\`. A CSV stream that was cut is not complete
HTTP: repeat the call.`,
  params: inWorkspace,
  query: exportQuery,
  data: z.null(),
  errors: ['cursor-expired'],
  formerCursor: /^\d{1,19}\.[0-9a-f-]{36}$/,
  streams: {
    'application/x-ndjson':
      '{"id":"019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b","status":"Completed", ...,"cursor":"OWMxYjI3..."}\n' +
      '{"end":true,"rows":1,"cursor":"OWMxYjI3..."}\n',
    'text/csv':
      'id,customerId,botKey,botVersion,status,priority,createdAt,startedAt,completedAt,durationSeconds,nps_score\r\n' +
      '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b,customer-1,nps-follow-up,1,Completed,Medium,2026-11-21T09:30:00.123000Z,' +
      '2026-11-21T09:31:00.000000Z,2026-11-21T09:32:30.500000Z,90.5,9\r\n',
  },
  timeoutMs: listTimeoutMs,
  handle: async ({ params: { workspaceId }, query, list }, call, deps) => {
    using opened = new DisposableStack();
    opened.use(deps.exports.open(workspaceId));
    const { begun, wanted } = await exportOf(workspaceId, query, required(list), call, deps);
    // Errors of the first page are answered as in other calls.
    const first = await deps.lists.next(() => pageLoader(wanted, deps)(call.rpc));
    const slot = opened.move();
    return {
      data: null,
      stream: {
        type: types[query.format],
        fileName: `interactions.${query.format}`,
        first: { ...first, text: begun + first.text },
        [Symbol.dispose]: () => slot.dispose(),
      },
    };
  },
});
