import type { Retention } from '@parley/client';

/** The kinds of interactions with a time of their own. */
export const retentionNames = ['completedDays', 'endedDays', 'draftDays'] as const;

/** The fields as the form has them: an empty text stands for no limit. */
export type RetentionFields = Record<(typeof retentionNames)[number], string>;

/** Returns the fields of a retention. */
export function retentionFields(retention: Retention): RetentionFields {
  const entries = retentionNames.map((name) => [
    name,
    retention[name] === null ? '' : String(retention[name]),
  ]);
  return Object.fromEntries(entries) as RetentionFields;
}

/** Returns the retention of the fields. */
export function retentionOf(fields: RetentionFields): Retention {
  const entries = retentionNames.map((name) => [name, fields[name] === '' ? null : Number(fields[name])]);
  return Object.fromEntries(entries) as Retention;
}
