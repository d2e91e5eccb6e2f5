import type { ErrorKind } from './people-errors.ts';

/** The errors of cursors. */
export const cursorErrors = {
  'cursor-expired': {
    code: 410,
    when: 'the data have moved to another server, or come from a backup, since the cursor was made',
    detail:
      'The data have moved since this cursor was made. Export without it, with updatedFrom: 2026-11-29T08:00:00Z',
  },
} satisfies Record<string, ErrorKind>;
