import type { ErrorKind } from './people-errors.ts';

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
