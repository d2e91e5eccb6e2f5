/** A kind of error that has a class in each language. `statuses` are exact, or all of a hundred. */
export interface ErrorKind {
  name: string;
  description: string;
  statuses: number[];
}

/** The kinds of errors, the first that has a status. What no answer has, has no status. */
export const errorKinds: ErrorKind[] = [
  {
    name: 'NotModified',
    description: 'The resource still has the version of `If-None-Match`: `not-modified`, 304.',
    statuses: [304],
  },
  { name: 'Authentication', description: 'The credentials are not accepted: 401.', statuses: [401] },
  { name: 'PermissionDenied', description: 'The credentials do not allow the call: 403.', statuses: [403] },
  { name: 'NotFound', description: 'There is no such thing, or no more: 404 and 410.', statuses: [404, 410] },
  {
    name: 'Conflict',
    description: 'The resource has another state or version: 409 and 412.',
    statuses: [409, 412],
  },
  { name: 'RateLimit', description: 'Too many calls: 429.', statuses: [429] },
  { name: 'InvalidRequest', description: 'The request is wrong: all other 4xx.', statuses: [400] },
  { name: 'Server', description: 'The service or a proxy failed: 5xx.', statuses: [500] },
  {
    name: 'NoAnswer',
    description: 'The connection failed or timed out: `no-answer`. The cause has the reason.',
    statuses: [],
  },
  {
    name: 'UnexpectedAnswer',
    description: 'Something else answered, such as a proxy: `unexpected-answer`.',
    statuses: [],
  },
];
