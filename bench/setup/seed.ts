import { answer, beginConversation } from '@parley/bot/engine';
import type { BotDefinition } from '@parley/bot/definition';
import pg from 'pg';

export interface Contents {
  workspaceId: string;
  customers: number;
  /** From the oldest, spread over customers, bots and the five statuses. */
  interactions: number;
  /** Whether all of them are open conversations of the first bot. */
  areOpen?: boolean;
  /** The bots of the interactions; the first one's definition makes their conversations. */
  botIds: readonly string[];
  definition: BotDefinition;
  /** Additional interactions that wait for the first answer. */
  conversations: number;
}

const batchRows = 500_000;
const dayMs = 86_400_000;
/** Conversations have their own numbers, so that the number of other interactions changes no id. */
const firstConversation = 50_000_000;
const oldestAt = Math.floor(Date.now() / dayMs - 700) * dayMs;

/** Returns the id of a seeded interaction, counted from 1. Ids rise with the number and lie in the past. */
export function interactionId(number: number): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const time = hex(oldestAt + number * 1000, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${hex(number, 12)}`;
}

/** Returns the instant of creation of a seeded interaction, counted from 1. The one before the first is a full hour. */
export function seededAt(number: number): string {
  return new Date(oldestAt + number * 1000).toISOString();
}

/** Returns the id of a seeded interaction that waits for its first answer, counted from 1. */
export function conversationId(number: number): string {
  return interactionId(firstConversation + number);
}

/** Returns the id of a seeded customer, counted from 1. */
export function customerId(number: number): string {
  return `customer-${number}`;
}

/** Opens a connection of the administrator that sees the tables of all services. */
export async function openAdmin(url: string): Promise<pg.Client & AsyncDisposable> {
  const admin = new pg.Client({
    connectionString: url,
    options: '-c search_path=identity,customer,interaction',
  });
  // A query rejects as well. Without a listener, the end of an idle connection ends the process.
  admin.on('error', () => {});
  await admin.connect();
  return Object.assign(admin, { [Symbol.asyncDispose]: () => admin.end() });
}

/** Copies the rows of a table from one database to another that has the same table. */
export async function copyRows(from: pg.Client, to: pg.Client, table: string): Promise<void> {
  const { rows } = await from.query<{ rows: string }>(`select json_agg(t)::text as rows from ${table} t`);
  await to.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
    rows[0]?.rows ?? '[]',
  ]);
}

/**
 * Fills the tables in SQL; the tables' own triggers update the counters. Equal contents give equal rows in any
 * database. Reports each half a million rows.
 */
export async function seed(
  admin: pg.Client,
  contents: Contents,
  show: (line: string) => void = () => {},
): Promise<void> {
  const { workspaceId, customers, interactions, conversations, areOpen } = contents;
  // The demo rows of a local run would be newer than all seeded ones.
  await admin.query('delete from interaction.interaction where workspace_id = $1', [workspaceId]);
  await insertCustomers(admin, workspaceId, customers);
  for (let done = 0; done < interactions; done += batchRows) {
    const until = Math.min(done + batchRows, interactions);
    await insertInteractions(admin, contents, [done + 1, until], areOpen ? { only: 'InProgress' } : {});
    if (interactions > batchRows) show(`${until.toLocaleString('en')} interactions`);
  }
  if (conversations > 0)
    await insertInteractions(admin, contents, [firstConversation + 1, firstConversation + conversations], {
      only: 'InProgress',
      namePrefix: 'visitor-',
    });
  await admin.query('vacuum (analyze) customer.customer, interaction.interaction');
  await admin.query('checkpoint');
}

/** Adds workspaces with the first bot and as many open conversations as this one has interactions. */
export async function seedOthers(
  admin: pg.Client,
  { botIds: [botId], ...contents }: Contents,
  count: number,
  after = contents.interactions,
): Promise<void> {
  const { rows } = await admin.query<{ workspaceId: string; botId: string }>(
    `with made as materialized (select uuidv7() as workspace_id, uuidv7() as bot_id from generate_series(1, $2)),
     workspaces as (
       insert into identity.workspace (id, name, allowed_domains) select workspace_id, 'Another', '{}' from made),
     bots as (
       insert into interaction.bot (id, workspace_id, key, name, type, type_label, context)
       select made.bot_id, made.workspace_id, key, name, type, type_label, context
       from interaction.bot, made where id = $1),
     versions as (
       insert into interaction.bot_version (bot_id, workspace_id, version, definition, digest, published_by)
       select made.bot_id, made.workspace_id, version, definition, digest, published_by
       from interaction.bot_version as version, made where version.bot_id = $1 and version = 1)
     select workspace_id as "workspaceId", bot_id as "botId" from made`,
    [botId, count],
  );
  const { customers, interactions } = contents;
  for (const [index, { workspaceId, botId }] of rows.entries()) {
    await insertCustomers(admin, workspaceId, customers);
    const first = after + index * interactions;
    const range: [number, number] = [first + 1, first + interactions];
    await insertInteractions(admin, { ...contents, workspaceId, botIds: [botId] }, range, {
      only: 'InProgress',
    });
  }
  await admin.query('vacuum (analyze) customer.customer, interaction.interaction');
}

/** Inserts the customers of the numbers from 1. */
export async function insertCustomers(
  admin: pg.Client,
  workspaceId: string,
  customers: number,
): Promise<void> {
  await admin.query(
    `insert into customer.customer (workspace_id, id, first_name, last_name, email, created_at)
     select $1, 'customer-' || i, 'First' || i, 'Last' || i, 'customer' || i || '@example.org',
       to_timestamp($3::float8 / 1000) + i * interval '1 second'
     from generate_series(1, $2) as i`,
    [workspaceId, customers, oldestAt],
  );
}

/**
 * Inserts the interactions of a range of numbers: of all statuses and customers, or of one status, or of one customer.
 */
export async function insertInteractions(
  admin: pg.Client,
  {
    workspaceId,
    customers,
    botIds,
    definition,
  }: Pick<Contents, 'workspaceId' | 'customers' | 'botIds' | 'definition'>,
  [first, last]: [number, number],
  {
    only,
    customer,
    namePrefix = 'customer-',
  }: { only?: 'InProgress' | 'Pending'; customer?: string; namePrefix?: string } = {},
): Promise<void> {
  const { begun, ended } = conversationsOf(definition);
  await admin.query(
    `insert into interaction.interaction (id, workspace_id, customer_id, bot_id, bot_version, status, priority,
       type, type_label, context, expires_at, stalls_at, created_at, updated_at, started_at, completed_at, state, transcript, evaluation, seq)
     select (lpad(to_hex($4::bigint + i * 1000), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
       $1, coalesce($14, $15::text || 1 + i % $5), bot.id, case when conversation.state is null then null else 1 end,
       wanted.status, (array['Low', 'Medium', 'High'])[1 + i % 3], bot.type, bot.type_label,
       json_build_array(json_build_object('key', 'productName', 'value', 'Product ' || i % 100)),
       case when wanted.status = 'Pending' or $7 = 'InProgress' then timestamptz '2100-01-01'
         when wanted.status = 'Expired' then made.at + interval '1 day' end,
       case wanted.status when 'InProgress' then timestamptz '2100-01-01' end,
       made.at, made.at, case when conversation.state is not null then made.at end,
       case wanted.status when 'Completed' then made.at end,
       conversation.state, conversation.transcript, conversation.evaluation, coalesce((conversation.state ->> 'seq')::int, 0)
     from generate_series($2::bigint, $3::bigint) as i
     cross join lateral (select coalesce($7,
       (array['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'])[1 + (i + i / $5) % 5]) as status) as wanted
     cross join lateral (select to_timestamp(($4::float8 + i * 1000) / 1000) as at) as made
     join interaction.bot on bot.id = ($6::uuid[])[1 + i / 5 % cardinality($6::uuid[])]
     left join (values
       ('InProgress', $8::json, $9::json, $10::json), ('Completed', $11::json, $12::json, $13::json)
     ) as conversation (status, state, transcript, evaluation)
       on conversation.status = wanted.status and bot.id = ($6::uuid[])[1]`,
    [
      workspaceId,
      first,
      last,
      oldestAt,
      customers,
      only ? botIds.slice(0, 1) : botIds,
      only ?? null,
      ...[begun, ended].flatMap((turn) =>
        [turn.state, turn.entries, turn.evaluation].map((value) => JSON.stringify(value)),
      ),
      customer ?? null,
      namePrefix,
    ],
  );
}

/** A conversation at its first question, and the same with all questions answered. */
function conversationsOf(definition: BotDefinition) {
  const now = oldestAt / 1000;
  const customer = { id: 'customer-1', firstName: 'First', lastName: 'Last', email: 'customer@example.org' };
  const begun = beginConversation(definition, { customer, context: { productName: 'Product 1' }, now });
  let ended = begun;
  for (const [index, said] of ['9', 'It does what it says.'].entries()) {
    const stepId = ended.state.stepId ?? '';
    const turn = answer(definition, ended.state, {
      stepId,
      answer: { text: said },
      now: now + 60 * (index + 1),
    });
    if ('rejected' in turn) throw new Error(turn.rejected.detail);
    ended = { ...turn, entries: [...ended.entries, ...turn.entries] };
  }
  return { begun, ended };
}
