import pg from 'pg';
import { completions } from './contents.ts';
import { pauseLanes } from './paused-lanes.ts';
import type { Hook, Service } from './service.ts';
import { tidy } from './tidy.ts';

/** The requested number of rows, spread evenly over the webhooks. */
export interface BacklogSize {
  due: number;
  /** Over the last 30 days, each with its attempt and its event. */
  finished: number;
}

const daysKept = 30;
const batch = 250_000;
const customer = 'customer-4711';

/** Inserts a backlog directly into the tables, paused. Ids have the form of the service's. */
export async function addBacklog(
  service: Service,
  hooks: readonly Hook[],
  { due, finished }: BacklogSize,
  show: (line: string) => void,
): Promise<void> {
  const { adminUrl } = service;
  await pauseLanes(service, hooks);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    // Partitions belong to the role that creates them.
    await client.query('set role parley_webhook');
    await client.query('set search_path = webhook');
    const webhookIds = hooks.map(({ id }) => id);
    const workspaceIds = hooks.map(({ workspaceId }) => workspaceId);
    for (let day = daysKept - 1; day >= 0; day -= 1) {
      await insertFinished(client, {
        webhookIds,
        workspaceIds,
        day,
        number: Math.round(finished / daysKept),
      });
      show(
        `${Math.round((finished / daysKept) * (daysKept - day)).toLocaleString('en')} finished deliveries`,
      );
    }
    for (let done = 0; done < due; done += batch) {
      const number = Math.min(batch, due - done);
      await insertDue(client, { webhookIds, workspaceIds, number });
      show(`${(done + number).toLocaleString('en')} due deliveries`);
    }
  } finally {
    await client.end();
  }
  await tidy(adminUrl);
}

/** Adds active webhooks without deliveries, spread over 1,000 workspaces. */
export async function addIdleWebhooks(
  { adminUrl }: Service,
  number: number,
  show: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('set search_path = webhook');
    await client.query(
      `with made as materialized (
         select gen_random_uuid() as id, workspace_id
         from (select i, gen_random_uuid() as workspace_id from generate_series(1, 1000) as i) as workspace
         cross join generate_series(1, $1::int / 1000)
       ), lane_row as (
         insert into lane (webhook_id, workspace_id) select id, workspace_id from made
       )
       insert into webhook
       select (jsonb_populate_record(like_row, jsonb_build_object('id', made.id, 'workspace_id', made.workspace_id,
         'secret_token_fingerprint', '\\x' || md5(made.id::text)))).*
       from made cross join (select webhook as like_row from webhook limit 1) as sample`,
      [number],
    );
    show(`${number.toLocaleString('en')} idle webhooks`);
  } finally {
    await client.end();
  }
  await tidy(adminUrl);
}

interface Rows {
  webhookIds: readonly string[];
  workspaceIds: readonly string[];
  number: number;
}

/** Old events have bodies too; short ones, because nothing reads them here. */
async function insertFinished(
  client: pg.Client,
  { webhookIds, workspaceIds, number, day }: Rows & { day: number },
) {
  await client.query(
    `select make_partition('finished_delivery', today - $1::int), make_partition('attempt', today - $1::int)
    from (select (now() at time zone 'utc')::date as today) as now`,
    [day],
  );
  await client.query(
    `with made as materialized (
       select at, uuidv7(at - clock_timestamp()) as id, uuidv7(at - clock_timestamp()) as event_id,
         ($1::uuid[])[1 + i % cardinality($1::uuid[])] as webhook_id,
         ($2::uuid[])[1 + i % cardinality($1::uuid[])] as workspace_id
       from generate_series(1, $3::int) as i
       -- Today's rows end at now().
       cross join lateral (select date_trunc('day', now(), 'UTC') - $4::int * interval '1 day'
         + ((i - 1)::float8 / $3) * case when $4 = 0 then now() - date_trunc('day', now(), 'UTC') else interval '1 day' end as at) as moment
     ), event_row as (
       insert into event (id, workspace_id, name, about, customer_id, status, data, extra, result,
         raised_at, received_at)
       select event_id, workspace_id, 'InteractionCompleted', event_id, '${customer}', 'Completed', '{}', '{}', '{}', at, at from made
     )
     insert into finished_delivery
       (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at, finished_at, started_at,
        duration_ms, first_byte_ms, status)
     select id, workspace_id, webhook_id, event_id, 'succeeded', 1, false, at, at, at, 12, 11, 200 from made`,
    [webhookIds, workspaceIds, number, day],
  );
}

/** Due for an hour. */
async function insertDue(client: pg.Client, { webhookIds, workspaceIds, number }: Rows): Promise<void> {
  const [like] = completions(1);
  await client.query(
    `with made as materialized (
       select at, uuidv7(at - clock_timestamp()) as id, uuidv7(at - clock_timestamp()) as event_id,
         ($1::uuid[])[1 + i % cardinality($1::uuid[])] as webhook_id,
         ($2::uuid[])[1 + i % cardinality($1::uuid[])] as workspace_id
       from generate_series(1, $3::int) as i
       cross join lateral (select now() - interval '1 hour' + i * interval '1 millisecond' as at) as moment
     ), event_row as (
       insert into event (id, workspace_id, name, about, customer_id, status, data, extra, result,
         raised_at, received_at)
       select event_id, workspace_id, 'InteractionCompleted', event_id, '${customer}', 'Completed', '{}', '{}',
         convert_to(replace($4, $5, event_id::text), 'UTF8'), at, at from made
     )
     insert into open_delivery (id, workspace_id, webhook_id, event_id, due_at, created_at)
     select id, workspace_id, webhook_id, event_id, at, at from made`,
    [webhookIds, workspaceIds, number, like?.body, like?.id],
  );
}
