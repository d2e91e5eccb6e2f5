import pg from 'pg';

/** One connection to a database, with which a test reads or locks rows of services. */
export interface SqlConnection extends AsyncDisposable {
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Connects. The end of the connection rolls back an open transaction. */
export async function openSqlConnection(url: string): Promise<SqlConnection> {
  const client = new pg.Client({ connectionString: url });
  // A test may stop the server.
  client.on('error', () => {});
  await client.connect();
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row>(text, values)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
