import { questionTypes, type TypeName, typeNamed } from '@parley/bot/question-types';
import { csvRecord } from '@parley/bulk/csv';
import { apiTimestamp } from '@parley/contracts/interaction-resource';
import type { ListEvaluationKeysResponse } from '@parley/contracts/interaction/v1/bot';
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
  const { data: history, context, isTest, ...resource } = shown;
  const rest = {
    context,
    ...(isTest && { isTest }),
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

/** A column of an evaluation key: the whole value, or a part of a value of several columns. */
export interface KeyColumn {
  key: string;
  part?: { type: TypeName; name: string };
}

/** Returns the columns of evaluation keys in their order. Unknown types have one column. */
export function keyColumns({ keys, columns: several }: ListEvaluationKeysResponse): KeyColumn[] {
  const byKey = new Map(several.map((one) => [one.key, one]));
  return keys.flatMap((key): KeyColumn[] => {
    const type = questionTypes.find(({ name }) => name === byKey.get(key)?.type)?.name;
    const names = byKey.get(key)?.columns ?? [];
    return type === undefined ? [{ key }] : names.map((name) => ({ key, part: { type, name } }));
  });
}

/**
 * Returns the byte order mark and the header row of an export as CSV. An evaluation key with the name of a column gets
 * `evaluation.` in front, which no key has.
 */
export function exportHeader(evaluationColumns: readonly KeyColumn[]): string {
  const names = evaluationColumns.map(({ key, part }) => {
    if (part?.name) return `${key}.${part.name}`;
    return columns.includes(key) ? `evaluation.${key}` : key;
  });
  return `\u{feff}${csvRecord([...columns, ...names])}\r\n`;
}

/** Fields are in the order of the header row. */
export function exportRecord(
  row: Sealed<ExportedInteraction>,
  evaluationColumns: readonly KeyColumn[],
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
    ...[required(createdAt), startedAt, completedAt].map(timeCell),
    durationMs === null ? '' : durationMs / 1000,
    ...evaluationColumns.map((column) => cellOf(evaluation, column)),
  ]);
  return `${record}\r\n`;
}

/** A file is read without the documentation of the API, so its times name their zone. */
function timeCell(at: Date | null): string {
  const text = toTimestampOrNull(at);
  return text === null ? '' : `${text}Z`;
}

function cellOf(evaluation: Record<string, string>, { key, part }: KeyColumn): string {
  const text = (Object.hasOwn(evaluation, key) && evaluation[key]) || '';
  if (part === undefined || text === '') return text;
  const parts = new Map(
    typeNamed(part.type)
      .partsOf(text)
      .filter((one) => one.includes('/'))
      .map((one) => [one.slice(0, one.indexOf('/')), one.slice(one.indexOf('/') + 1)]),
  );
  // The column of the key itself has what is of no other form.
  if (part.name === '') return parts.size > 0 ? '' : text;
  return parts.get(part.name) ?? '';
}
