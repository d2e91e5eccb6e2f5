import pg from 'pg';

/** One connection to a database, for what a test looks at or locks behind the back of the services. */
export interface SqlSession extends AsyncDisposable {
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Connects. An open transaction ends, undone, with the connection. */
export async function openSqlSession(url: string): Promise<SqlSession> {
  const client = new pg.Client({ connectionString: url });
  // The server may be ended by the test while this is idle.
  client.on('error', () => {});
  await client.connect();
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
