/** The failure of a request; the error handler builds its envelope. */
export class Fault extends Error {
  readonly code: number;
  readonly type: string;
  readonly errors: { pointer: string; detail: string }[] | undefined;
  /** The only error with data: the current state of a conversation that has moved on. */
  readonly data: unknown;

  constructor(
    code: number,
    type: string,
    detail: string,
    more: { errors?: { pointer: string; detail: string }[]; data?: unknown } = {},
  ) {
    super(detail);
    this.code = code;
    this.type = type;
    this.errors = more.errors;
    this.data = more.data ?? null;
  }
}

/** Returns 404, for a missing and an invisible resource. */
export function notFound(): Fault {
  return new Fault(404, 'not-found', 'There is no such resource');
}
