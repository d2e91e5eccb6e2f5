import type { ExportInteractionsRequest } from '@parley/contracts/interaction/v1/interaction';
import type { CallOptions } from '@parley/rpc/definition';
import { z } from 'zod';
import { listTimeoutMs } from '../http/long-list.ts';
import { inWorkspace, type Route, route } from '../http/route.ts';
import type { LoadPart } from '../http/stream.ts';
import { exportEnd, exportHeader, exportLine, exportRecord } from '../present/export.ts';
import type { RouteDeps } from '../route-deps.ts';
import { checkedFilters, interactionFilters, requestFilters } from './interaction-filters.ts';

const exportQuery = checkedFilters(
  z.object({
    format: z
      .enum(['ndjson', 'csv'])
      .default('ndjson')
      .meta({ description: 'CSV needs `botId` or `botKey`' }),
    ...interactionFilters.shape,
    cursor: z
      .string()
      .regex(/^(?:0|[1-9]\d{0,18})\.[0-9a-f-]{36}$/, 'Must be the cursor of a line of an export')
      .optional()
      .meta({ description: 'Continues an export behind the line with this `cursor`' }),
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
  show(rows: Awaited<ReturnType<RouteDeps['interactions']['exportInteractions']>>['interactions']): string;
  /** The text after the last row. */
  end(rows: number, cursor: string): string;
}

/** Returns the loader of the next page of an export. */
function pageLoader(
  { request, show, end }: Export,
  deps: Pick<RouteDeps, 'interactions'>,
  sent = { rows: 0, settlesUntil: 0 },
): LoadPart {
  return async (rpc) => {
    const page = await deps.interactions.exportInteractions(request, rpc());
    const rows = sent.rows + page.interactions.length;
    const text = show(page.interactions);
    const settlesUntil = page.hasMore ? 0 : sent.settlesUntil || Date.now() + settlingMsMax;
    if (!page.hasMore && !(page.hasUnsettled && Date.now() < settlesUntil)) {
      return { text: text + end(rows, page.cursor), loadNext: undefined, pauseMs: 0 };
    }
    const pauseMs = page.hasMore ? 0 : settlingPauseMs;
    const next = { request: { ...request, cursor: page.cursor, isFirst: false }, show, end };
    return { text, loadNext: pageLoader(next, deps, { rows, settlesUntil }), pauseMs };
  };
}

/** Returns the export that a query asks for, and its first text. */
async function exportOf(
  workspaceId: string,
  { format, cursor = '', ...filters }: z.output<typeof exportQuery>,
  rpc: () => CallOptions,
  { bots, landingUrl }: RouteDeps,
): Promise<{ begun: string; wanted: Export }> {
  const withUnsettled = format === 'csv';
  const request = { workspaceId, cursor, withUnsettled, isFirst: true, ...requestFilters(filters) };
  if (format === 'ndjson') {
    const show: Export['show'] = (rows) => rows.map((row) => exportLine(row, landingUrl)).join('');
    return { begun: '', wanted: { request, show, end: exportEnd } };
  }
  const { botId, botKey } = filters;
  const { keys } = await bots.listEvaluationKeys({ workspaceId, id: botId, key: botKey }, rpc());
  const show: Export['show'] = (rows) => rows.map((row) => exportRecord(row, keys)).join('');
  return { begun: exportHeader(keys), wanted: { request, show, end: () => '' } };
}

const types = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

/** The export of interactions. */
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
that, changes that are newer than a transaction in progress wait for its end.

CSV (RFC 4180) is UTF-8 with a byte order mark. It has a column for each evaluation key of all versions of the bot. A
cell that a spreadsheet would take for a formula begins with \`'\`. A CSV stream that was cut is not complete HTTP:
repeat the call.`,
  params: inWorkspace,
  query: exportQuery,
  data: z.null(),
  streams: {
    'application/x-ndjson':
      '{"id":"019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b","status":"Completed", ...,"cursor":"1042.019aa5d8-..."}\n' +
      '{"end":true,"rows":1,"cursor":"1042.019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b"}\n',
    'text/csv':
      'id,customerId,botKey,botVersion,status,priority,createdAt,startedAt,completedAt,durationSeconds,nps_score\r\n' +
      '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b,customer-1,nps-follow-up,1,Completed,Medium,2026-11-21T09:30:00.123000,' +
      '2026-11-21T09:31:00.000000,2026-11-21T09:32:30.500000,90.5,9\r\n',
  },
  timeoutMs: listTimeoutMs,
  handle: async ({ params: { workspaceId }, query }, call, deps) => {
    using opened = new DisposableStack();
    opened.use(deps.exports.open(workspaceId));
    const { begun, wanted } = await exportOf(workspaceId, query, call.rpc, deps);
    // Errors of the first page are answered as those of other calls.
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
