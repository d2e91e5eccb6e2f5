import type { Scope } from '@parley/contracts/scopes';
import { conversationErrors } from './conversation-errors.ts';
import { cursorErrors, preconditionErrors } from './cursor-errors.ts';
import { type ErrorKind, peopleErrors } from './people-errors.ts';

const missingScope: Scope = 'webhooks:write';

const kinds = {
  'invalid-request': {
    code: 400,
    when: 'the request does not fit its schema; `errors` lists the faults',
    detail: 'The request is not valid',
    faults: [{ pointer: '/email', detail: 'Must be an email address' }],
  },
  'malformed-json': {
    code: 400,
    when:
      'the body is not JSON in UTF-8, is nested too deeply, has too many values, or repeats a name in an object; ' +
      '`errors` says where',
    detail: 'The body is not valid JSON',
    faults: [{ pointer: '', detail: 'Line 1, column 7: The JSON ends too early.' }],
  },
  'malformed-path': {
    code: 400,
    when: 'the path is not percent-encoded UTF-8',
    detail: 'The path is not percent-encoded UTF-8',
  },
  'malformed-request': {
    code: 400,
    when: 'the request is not HTTP',
    detail: 'The request is not valid HTTP',
  },
  'invalid-credentials': {
    code: 401,
    when:
      'the API key and secret are missing, malformed or wrong, or the session of a person has ended; the answer does ' +
      'not say which',
    detail: 'The request has no valid API key and secret',
  },
  'invalid-session': {
    code: 401,
    when: 'the session token is missing, malformed, forged or expired',
    detail: 'The request has no valid session',
  },
  'invalid-customer-token': {
    code: 401,
    when: 'the customer token is not valid; `detail` has the reason',
    detail: 'The customer token is not valid: its signature does not fit the SDK secret of its kid',
  },
  'not-home-workspace': {
    code: 403,
    when: 'an API key can be rotated in its home workspace only',
    detail: 'A key is rotated in the workspace that it was created for',
  },
  'missing-scope': {
    code: 403,
    when: 'the caller does not have the scope that the call needs; `errors` names it',
    detail: `The caller does not have the scope ${missingScope}`,
    faults: [{ pointer: '/headers/authorization', detail: missingScope }],
  },
  'stronger-key': {
    code: 403,
    when:
      'a key would expire later than the calling key, can access workspaces that the calling key cannot, or has no ' +
      'limits, and the caller is no owner and has limits',
    detail: 'The key would expire later than the calling key',
    faults: [{ pointer: '/expiresAt', detail: 'Must not be later than 2027-01-01T00:00:00.000Z' }],
  },
  'foreign-origin': {
    code: 403,
    when: 'a browser calls from an origin that is not allowed',
    detail: 'The origin is not allowed',
  },
  'not-found': {
    code: 404,
    when: 'there is no such resource, or the caller cannot see it',
    detail: 'There is no such resource',
  },
  'no-insight': {
    code: 404,
    when: 'the deployment has no insight service',
    detail: 'This deployment has no insight service',
  },
  'unknown-route': {
    code: 404,
    when: 'there is no such route',
    detail: 'There is no such route. See /docs for all routes',
  },
  'method-not-allowed': {
    code: 405,
    when: 'the route has no such method; `Allow` names those it has',
    detail: 'The method is not allowed here',
  },
  'not-acceptable': {
    code: 406,
    when: '`Accept` excludes JSON and the other types of the answer',
    detail: 'Answers are application/json, which Accept excludes',
  },
  'request-timeout': {
    code: 408,
    when: 'the request did not arrive in time',
    detail: 'The request took too long',
  },
  'customer-exists': {
    code: 409,
    when: 'the customer id is taken',
    detail: 'A customer with this id exists already',
  },
  'bot-key-in-use': {
    code: 409,
    when: 'the workspace has a bot with that key; `detail` names it',
    detail: 'The bot 019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b of the workspace has this key',
  },
  'too-many-bots': {
    code: 409,
    when: 'the workspace has the maximum number of bots; `detail` has the number',
    detail: 'The workspace has 1000 bots, the maximum',
  },
  'too-many-bot-versions': {
    code: 409,
    when: 'the bot has the maximum number of versions; `detail` has the number',
    detail: 'The bot has 10000 versions, the maximum',
  },
  'unexpected-bot-version': {
    code: 409,
    when: 'another version of the bot is live than `expectedVersion`; `detail` has both',
    detail: 'Version 5 of the bot is live, not 4',
  },
  'secret-token-in-use': {
    code: 409,
    when: 'the workspace has a webhook with that secret token',
    detail: 'A webhook with this secretToken exists already',
  },
  'too-many-webhooks': {
    code: 409,
    when: 'the workspace has the maximum number of webhooks; `detail` has the number',
    detail: 'The workspace has reached its limit of 100 webhooks',
  },
  'too-many-recoveries': {
    code: 409,
    when: 'the workspace has the maximum number of running recoveries; `detail` has the number',
    detail: 'The workspace has 20 running recoveries, the maximum',
  },
  'webhook-inactive': { code: 409, when: 'the webhook is not active', detail: 'The webhook is not active' },
  'event-filtered': {
    code: 409,
    when: 'the filter of the webhook is false for the test event, or fails; `ignoreFilter` sends it',
    detail: 'The filter of the webhook is false for the test event, or fails',
  },
  'delivery-under-way': {
    code: 409,
    when: 'an attempt of the delivery has been in flight for half a second or longer',
    detail: 'An attempt of this delivery is in progress',
  },
  'event-expired': {
    code: 409,
    when: 'the body of the delivery is deleted',
    detail: 'The event of this delivery has been deleted',
  },
  'illegal-transition': {
    code: 409,
    when: 'the interaction cannot change from its status to the requested one; `detail` names both',
    detail: 'An interaction that is Completed cannot become Pending',
  },
  'illegal-expiry': {
    code: 409,
    when: 'the expiry of an interaction that has ended, or ends by this call, cannot be set',
    detail: 'The expiry of an interaction that is Completed cannot change',
  },
  'illegal-availability': {
    code: 409,
    when: '`availableFrom` of an interaction that is neither `Draft` nor `Pending`, or leaves them by this call, cannot change',
    detail: 'An interaction that is Completed takes no other availableFrom',
  },
  'not-available-yet': {
    code: 409,
    when: 'the conversation of the link cannot start before the `availableFrom` of its interaction',
    detail: 'The conversation is not available yet',
  },
  'client-message-id-reused': {
    code: 409,
    when: 'the `clientMessageId` was used for another message',
    detail: 'This clientMessageId was used for another message',
  },
  'key-ended': {
    code: 409,
    when: 'the API key has been revoked or has expired',
    detail: 'The API key has been revoked or has expired',
  },
  'lost-race': {
    code: 409,
    when: 'other calls change the same resource at the same time; safe to retry',
    detail: 'Others change the resource at the same time',
  },
  'body-too-large': {
    code: 413,
    when: 'the body is over the limit',
    detail: 'The body must be at most 256 KiB',
  },
  'conversations-too-large': {
    code: 413,
    when: 'an item of a bulk call: the conversations of the items before it are too large together; send it again',
    detail: 'The conversations that this call begins have more than 4 MiB: send the rest in another call',
  },
  'unsupported-media-type': {
    code: 415,
    when: 'the body is not declared as JSON',
    detail: 'The body must be application/json',
  },
  'idempotency-key-reused': {
    code: 422,
    when: 'the Idempotency-Key was used with another body',
    detail: 'This Idempotency-Key was used with another body',
  },
  'rate-limited': {
    code: 429,
    when:
      'too many calls of this API key or session, new sessions of this customer or link, exports of this workspace ' +
      'in progress, or lookups of unknown workspaces from this address; `Retry-After`, `RateLimit` and `RateLimit-Policy`',
    detail: 'Too many calls with this API key',
  },
  'too-many-failures': {
    code: 429,
    when:
      'too many failed authentications of this API key or address, rejected customer tokens and links included; ' +
      '`Retry-After`, `RateLimit` and `RateLimit-Policy`',
    detail: 'Too many failed authentications',
  },
  'workspace-busy': {
    code: 429,
    when: 'too much work of this workspace is waiting, such as expensive lists or turns of conversations; `Retry-After`',
    detail: 'Too much work of this workspace is waiting',
  },
  'headers-too-large': {
    code: 431,
    when: 'the header fields are over the limit',
    detail: 'The header fields are too large',
  },
  internal: {
    code: 500,
    when: 'a fault of the service; its log has the `requestId`',
    detail: 'An internal error occurred',
  },
  overloaded: {
    code: 503,
    when: 'there are more calls than can be answered at the moment; nothing has happened; `Retry-After`',
    detail: 'There are more calls than can be answered at the moment',
  },
  unavailable: {
    code: 503,
    when: 'a service or database is unavailable; `Retry-After`',
    detail: 'The service is not available at the moment',
  },
  'anonymisation-continues': {
    code: 504,
    when: 'an anonymisation takes longer than the call may; it continues, and `detail` says where its progress is',
    detail:
      'The removal is not finished and continues. GET /v1/workspaces/019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b/erasures/' +
      '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5c shows its progress',
  },
  'deletion-continues': {
    code: 504,
    when: 'a deletion takes longer than the call may; it continues, and `detail` says where its progress is',
    detail:
      'The removal is not finished and continues. GET /v1/workspaces/019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b/erasures/' +
      '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5c shows its progress',
  },
  timeout: {
    code: 504,
    when: 'a service did not answer in time',
    detail: 'The service did not answer in time',
  },
} satisfies Record<string, ErrorKind>;

/** The `type` of an error: a stable slug for each cause. */
const all = {
  ...kinds,
  ...conversationErrors,
  ...cursorErrors,
  ...peopleErrors,
  ...preconditionErrors,
};

export type ErrorType = keyof typeof all;

const byStatus = Object.entries(all).toSorted(([, one], [, other]) => one.code - other.code);

/** All errors that the API can return, by their status. docs/errors.md is generated from this list. */
export const errorTypes = Object.fromEntries(byStatus) as Record<ErrorType, ErrorKind>;
