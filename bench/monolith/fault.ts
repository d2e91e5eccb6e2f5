/** What a request fails with; the error handler makes the envelope of it. */
export class Fault extends Error {
  readonly code: number;
  readonly type: string;
  readonly errors: { pointer: string; detail: string }[] | undefined;
  /** The one error with data: where a conversation stands that has moved on. */
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

/** 404: never was, or may not be seen. */
export function notFound(): Fault {
  return new Fault(404, 'not-found', 'There is no such resource');
}
