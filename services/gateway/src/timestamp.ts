import { z } from 'zod';

/** An instant as the API writes it: UTC, `2026-11-21T09:30:00.123000`, six fractional digits and no zone. */
export function toTimestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, -1)}000`;
}

/** The same, null for null. */
export function toTimestampOrNull(instant: Date | null): string | null {
  return instant && toTimestamp(instant);
}

/** How a timestamp looks in the API's description. */
export const timestamp = z.string().meta({
  description: 'UTC, ISO 8601 with six fractional digits and no zone',
  examples: ['2026-11-21T09:30:00.123000'],
});
