import { connect } from '@nats-io/transport-node';
import type { LocalRun } from '@parley/local/files/run-files';
import { parseNatsUrl } from '@parley/runtime/config/nats-url';
import { openSqlConnection } from './sql.ts';

/**
 * Returns all data of a run as text: every row of every table, with binary columns, and every message of every stream.
 */
export async function everythingStored({ postgresUrl, natsUrl }: LocalRun): Promise<string[]> {
  const [rows, messages] = await Promise.all([storedRows(postgresUrl), storedMessages(natsUrl)]);
  return [...rows, ...messages];
}

async function storedRows(postgresUrl: string): Promise<string[]> {
  await using session = await openSqlConnection(postgresUrl);
  const columns = await session.query<{ table: string; column: string; type: string }>(
    `select format('%I.%I', table_schema, table_name) as table, quote_ident(column_name) as column, data_type as type
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const [table, own] of Map.groupBy(columns, (one) => one.table)) {
    const texts = own.map(({ column, type }) => (type === 'bytea' ? column : `${column}::text`));
    const rows = await session.query<Record<string, Buffer | string | null>>(
      `select ${texts.join(', ')} from ${table}`,
    );
    for (const row of rows) {
      // `String` of a buffer is its bytes as UTF-8.
      found.push(
        `${table}: ${Object.values(row)
          .map((value) => String(value ?? ''))
          .join(' ')}`,
      );
    }
  }
  return found;
}

async function storedMessages(natsUrl: string): Promise<string[]> {
  const { servers, credentials } = parseNatsUrl(natsUrl);
  const connection = await connect({ servers, ...credentials });
  try {
    const ask = async <T>(subject: string, question: object): Promise<T> =>
      (
        await connection.request(`$JS.API.${subject}`, JSON.stringify(question), { timeout: 10_000 })
      ).json<T>();
    const { streams = [] } = await ask<{ streams?: { config: { name: string }; state: Sequences }[] }>(
      'STREAM.LIST',
      {},
    );
    const found: string[] = [];
    for (const { config, state } of streams) {
      for (let from = state.first_seq; from <= state.last_seq; from += atOnce) {
        const sequences = Array.from({ length: atOnce }, (_, index) => from + index);
        const answers = await Promise.all(
          sequences
            .filter((seq) => seq <= state.last_seq)
            .map((seq) => ask<{ message?: StoredMessage }>(`STREAM.MSG.GET.${config.name}`, { seq })),
        );
        for (const { message } of answers) {
          const parts = [message?.hdrs, message?.data].map((part) =>
            Buffer.from(part ?? '', 'base64').toString(),
          );
          if (message) found.push(`${config.name}: ${parts.join(' ')}`);
        }
      }
    }
    return found;
  } finally {
    await connection.close();
  }
}

/** How many messages are read at once. */
const atOnce = 50;

interface Sequences {
  first_seq: number;
  last_seq: number;
}

/** In base64. */
interface StoredMessage {
  hdrs?: string;
  data?: string;
}
