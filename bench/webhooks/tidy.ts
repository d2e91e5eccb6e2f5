import pg from 'pg';

/** Puts the statistics and the visibility of a Postgres in order (of all tables, or those named), and its dirty pages on disk: so each turn begins alike. */
export async function tidy(url: string, tables = ''): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`vacuum (analyze) ${tables}`);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
