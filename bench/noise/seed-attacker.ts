import type { BotDefinition } from '@parley/bot/definition';
import { insertCustomers, insertInteractions, openAdmin } from '../seed.ts';
import type { Attacker } from './world.ts';

/** Customers with very many interactions: one to read, one to anonymise, one whose interactions all wait. */
export const hugeCustomers = ['huge', 'doomed', 'awaited'] as const;

/** Numbers of interactions are ids: those of the victim begin at 1. */
const firstNumber = 1_000_000;

/** Fills the attacker's workspace in SQL. */
export async function seedAttacker(
  postgresUrl: string,
  { workspaceId, botId, sizes }: Attacker,
  definition: BotDefinition,
): Promise<void> {
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
    const only = customer === 'awaited' ? 'Pending' : undefined;
    await insertInteractions(admin, rows, range(sizes.interactionsOfOne), {
      customer,
      ...(only && { only }),
    });
  }
  await admin.query('vacuum (analyze) customer.customer, interaction.interaction');
  await admin.query('checkpoint');
}
