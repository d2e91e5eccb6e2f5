import { csvRecord } from '@parley/bulk/csv';
import { apiTimestamp } from '@parley/contracts/interaction-resource';
import type { ExportedInteraction } from '@parley/contracts/interaction/v1/interaction';
import type { Sealed } from '../../values/personal.ts';
import { required } from '../../values/message.ts';
import { toTimestampOrNull } from '../../values/timestamp.ts';
import { toEvaluation, toInteraction } from './present.ts';
import type { InteractionReader } from './reader.ts';

/** `landingUrl` has no trailing slash. */
export function exportLine(
  row: Sealed<ExportedInteraction>,
  cursor: string,
  landingUrl: string,
  reader: InteractionReader,
): string {
  const shown = toInteraction(required(row.interaction), landingUrl, reader);
  const { data: history, context, ...resource } = shown;
  const rest = {
    context,
    startedAt: toTimestampOrNull(row.startedAt),
    completedAt: toTimestampOrNull(row.completedAt),
    updatedAt: apiTimestamp(required(row.updatedAt)),
    cursor,
  };
  // The history is JSON text already.
  return `${JSON.stringify(resource).slice(0, -1)},"data":${history ?? 'null'},${JSON.stringify(rest).slice(1)}\n`;
}

export function exportEnd(rows: number, cursor: string): string {
  return `${JSON.stringify({ end: true, rows, cursor })}\n`;
}

const columns = [
  'id',
  'customerId',
  'botKey',
  'botVersion',
  'status',
  'priority',
  'createdAt',
  'startedAt',
  'completedAt',
  'durationSeconds',
];

/**
 * Returns the byte order mark and the header row of an export as CSV. An evaluation key with the name of a column gets
 * `evaluation.` in front, which no key has.
 */
export function exportHeader(evaluationKeys: readonly string[]): string {
  const names = evaluationKeys.map((key) => (columns.includes(key) ? `evaluation.${key}` : key));
  return `\u{feff}${csvRecord([...columns, ...names])}\r\n`;
}

/** Fields are in the order of the header row. */
export function exportRecord(
  row: Sealed<ExportedInteraction>,
  evaluationKeys: readonly string[],
  reader: InteractionReader,
): string {
  const { id, customerId, status, priority, createdAt } = required(row.interaction);
  const { botKey, botVersion, startedAt, completedAt } = row;
  const evaluation = toEvaluation(row.evaluation, id, reader);
  const durationMs = startedAt && completedAt && completedAt.getTime() - startedAt.getTime();
  const record = csvRecord([
    id,
    customerId,
    botKey,
    botVersion ?? '',
    status,
    priority,
    apiTimestamp(required(createdAt)),
    toTimestampOrNull(startedAt) ?? '',
    toTimestampOrNull(completedAt) ?? '',
    durationMs === null ? '' : durationMs / 1000,
    ...evaluationKeys.map((key) => (Object.hasOwn(evaluation, key) ? (evaluation[key] ?? '') : '')),
  ]);
  return `${record}\r\n`;
}
