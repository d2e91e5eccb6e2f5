import pg from 'pg';

/** Vacuums and analyses all tables or the named ones, and runs a checkpoint, so that all turns start equal. */
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
