import type { ErrorKind } from './people-errors.ts';

export const conversationErrors = {
  'contact-limit': {
    code: 409,
    when: 'the contact policy allows no further interaction of the customer now; `errors` has `retryAt`',
    detail:
      'The contact policy allows no further interaction of this customer before 2026-12-21T09:30:00.123000 (UTC)',
    faults: [
      {
        pointer: '/customerId',
        detail: 'Is allowed again at 2026-12-21T09:30:00.123000 (UTC)',
        retryAt: '2026-12-21T09:30:00.123000',
      },
    ],
  },
  'revising-off': {
    code: 403,
    when:
      'the bot does not let customers revise answers, or the conversation has reached its number of revisions or its ' +
      'size',
    detail: 'Answers of this conversation cannot be changed',
  },
  'stale-sequence': {
    code: 409,
    when: 'the conversation has continued; `data` is the current snapshot',
    detail: 'The conversation has moved on: answer the current question',
  },
  'not-started': {
    code: 409,
    when: 'the conversation has not been started',
    detail: 'The conversation has not been started',
  },
  'no-email-question': {
    code: 409,
    when:
      'the conversation has begun or ended, or its first question cannot be answered by one click of at most 11; ' +
      '`detail` has the reason',
    detail: 'The first question has no answers of one click: use a link to the conversation',
  },
  'conversation-ended': {
    code: 410,
    when: 'the conversation has ended',
    detail: 'The conversation has ended',
  },
  'unanswerable-answer': {
    code: 422,
    when: "the step rejects this answer, and nothing is stored; `detail` has the reason in the customer's language",
    detail: 'Please answer with a number of at most 10.',
  },
} satisfies Record<string, ErrorKind>;
