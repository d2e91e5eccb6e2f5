import { apiTimestamp } from '@parley/contracts/interaction-resource';
import { z } from 'zod';
import { required } from './message.ts';

/** Returns an instant as the API writes it (`apiTimestamp`). Throws for null. */
export function toTimestamp(instant: Date | null): string {
  return apiTimestamp(required(instant));
}

/** Returns null for null, otherwise as `toTimestamp`. */
export function toTimestampOrNull(instant: Date | null): string | null {
  return instant && toTimestamp(instant);
}

export const timestamp = z.string().meta({
  description: 'UTC, ISO 8601 with six fractional digits and no zone',
  examples: ['2026-11-21T09:30:00.123000'],
});

const written = z.core.regexes.datetime({ offset: true, local: true });
const earliest = new Date('1970-01-01T00:00:00Z');
const latest = new Date('9999-12-31T23:59:59.999Z');

// In a query string `+` is a space.
function refusal(text: string): string {
  const form = 'Must be an instant such as 2026-11-21T09:30:00Z';
  return /T[\d:.]+ \d\d:\d\d$/.test(text) ? `${form}; in a query the + of an offset is written %2B` : form;
}

/** The schema of an instant of a caller, in milliseconds: with a zone (RFC 3339), or as the API writes it. */
export const instant = z
  .string()
  .regex(written, { error: ({ input }) => refusal(String(input)), abort: true })
  .transform((text) => new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`))
  .refine((at) => at >= earliest && at <= latest, {
    error: 'Must be between the years 1970 and 9999',
    abort: true,
  })
  .meta({ examples: ['2026-11-21T09:30:00Z'] });

/** True if one of them is missing. */
export function isBefore({ since, until }: { since?: Date | undefined; until?: Date | undefined }): boolean {
  return since === undefined || until === undefined || since < until;
}
