import type { ErrorKind } from './people-errors.ts';

export const cursorErrors = {
  'invalid-cursor': {
    code: 400,
    when: 'the cursor is no text of the API, or one of another list, workspace or filter',
    detail: 'The cursor is not one of this list',
    faults: [
      {
        pointer: '/query/cursor',
        detail: 'Must be the nextCursor of a page of this list',
      },
    ],
  },
  'cursor-expired': {
    code: 410,
    when: 'the data have moved to another server, or come from a backup, since the cursor was made',
    detail:
      'The data have moved since this cursor was made. Export without it, with updatedFrom: 2026-11-29T08:00:00Z',
  },
} satisfies Record<string, ErrorKind>;

export const preconditionErrors = {
  'precondition-failed': {
    code: 412,
    when: '`If-Match` does not match the current version',
    detail: 'The resource has changed since it was read',
  },
  'precondition-required': {
    code: 428,
    when: 'a PUT has neither `If-Match` nor `If-None-Match: *`',
    detail: 'The call needs If-Match with the ETag of what it replaces, or If-None-Match: * to create',
  },
} satisfies Record<string, ErrorKind>;
