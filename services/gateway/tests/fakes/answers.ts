import { notFound, preconditionFailed } from '@parley/runtime/errors';

/** Makes the handler of a method that notes each request and answers it. */
export type Answer = <Request, Response>(
  method: string,
  make: (request: Request) => Response,
) => (request: Request, context: { signal: AbortSignal }) => Promise<Response>;

/** Returns a row. NOT_FOUND if the request names another one. */
export function only<Row>(isKnown: boolean, row: Row): Row {
  if (!isKnown) throw notFound();
  return row;
}

/** Returns a row after a change. FAILED_PRECONDITION if the request expects another version. */
export function current<Row extends { version: number }>(
  row: Row,
  ifVersion: number | null | undefined,
): Row {
  if (ifVersion !== undefined && ifVersion !== null && ifVersion !== row.version) throw preconditionFailed();
  return { ...row, version: row.version + 1 };
}
