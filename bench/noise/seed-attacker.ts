import type { BotDefinition } from '@parley/bot/definition';
import type pg from 'pg';
import { insertCustomers, insertInteractions, openAdmin } from '../setup/seed.ts';
import type { Attacker } from './tenants.ts';

/**
 * Customers with very many interactions: one to read, one to anonymise, one whose interactions all wait, and one whose
 * interactions are all open conversations.
 */
export const hugeCustomers = ['huge', 'doomed', 'awaited', 'talking'] as const;

const statuses = { awaited: 'Pending', talking: 'InProgress' } as const;

/** Numbers of interactions are ids: the victim's begin at 1. */
const firstNumber = 1_000_000;

/** Fills the attacker's workspace in SQL. */
export async function seedAttacker(
  postgresUrl: string,
  attacker: Attacker,
  definition: BotDefinition,
): Promise<void> {
  const { workspaceId, botId, sizes } = attacker;
  await using admin = await openAdmin(postgresUrl);
  await insertCustomers(admin, workspaceId, sizes.customers);
  const rows = { workspaceId, customers: sizes.customers, botIds: [botId], definition };
  let number = firstNumber;
  const range = (count: number): [number, number] => {
    number += count;
    return [number - count + 1, number];
  };
  await insertInteractions(admin, rows, range(sizes.interactions));
  for (const customer of hugeCustomers) {
    await admin.query(
      `insert into customer.customer (workspace_id, id, first_name, last_name, email)
       values ($1, $2, 'Huge', 'Customer', $2 || '@example.org')`,
      [workspaceId, customer],
    );
    const only = customer in statuses ? statuses[customer as keyof typeof statuses] : undefined;
    await insertInteractions(admin, rows, range(sizes.interactionsOfOne), {
      customer,
      ...(only && { only }),
    });
  }
  await insertInteractions(admin, rows, range(5 * sizes.largeHistories), { customer: 'talkative' });
  await enlargeHistories(admin, workspaceId);
  await insertDeliveries(admin, attacker);
  await insertBots(admin, attacker);
  await admin.query(
    'vacuum (analyze) customer.customer, interaction.interaction, webhook.event, webhook.finished_delivery',
  );
  await admin.query('checkpoint');
}

/** Makes the histories of a customer's completed conversations about as large as they can become. */
async function enlargeHistories(admin: pg.Client, workspaceId: string): Promise<void> {
  await admin.query(
    `update interaction.interaction set transcript = (
       select json_agg(json_build_object('seq', n, 'type', 'bot', 'body', repeat('abcd ', 780), 'timestamp', 1.7e9 + n))
       from generate_series(1, 60) as n)
     where workspace_id = $1 and customer_id = 'talkative' and status = 'Completed'`,
    [workspaceId],
  );
}

async function insertDeliveries(
  admin: pg.Client,
  { workspaceId, webhookId, sizes }: Attacker,
): Promise<void> {
  await admin.query(
    `with made as materialized (select uuidv7() as id, uuidv7() as event_id from generate_series(1, $3)),
     events as (
       insert into webhook.event (id, workspace_id, name, about, customer_id, status, data, extra, result)
       select event_id, $1, 'InteractionCompleted', event_id, 'huge', 'Completed', '{}', '{}',
         convert_to('{"customer_id": "huge"}', 'UTF8') from made)
     insert into webhook.finished_delivery
       (id, workspace_id, webhook_id, event_id, state, attempts, is_redacted, created_at, started_at, duration_ms, error)
     select id, $1, $2, event_id, 'failed', 1, false, now(), now(), 1, 'connection_refused' from made`,
    [workspaceId, webhookId, sizes.deliveries],
  );
}

async function insertBots(admin: pg.Client, { workspaceId, botId, sizes }: Attacker): Promise<void> {
  await admin.query(
    `insert into interaction.bot (id, workspace_id, key, name, type, type_label, context)
     select uuidv7(), workspace_id, key || '-' || i, name, type, type_label, context
     from interaction.bot, generate_series(1, $3) as i where workspace_id = $1 and id = $2`,
    [workspaceId, botId, sizes.bots],
  );
  // Only the first version has a definition that matters.
  await admin.query(
    `insert into interaction.bot_version (bot_id, workspace_id, version, definition, digest, published_by)
     select $2, $1, i, '{}', md5(i::text), 'operator' from generate_series(2, $3 + 1) as i`,
    [workspaceId, botId, sizes.bots],
  );
}
