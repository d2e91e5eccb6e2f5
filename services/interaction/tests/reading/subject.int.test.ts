import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { survey } from '../definitions.ts';
import { call, changeMany, type Interactions, startInteractions, workspaceOf } from '../fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

const exportOf = (workspaceId: string, customerId: string, after?: string | null) =>
  system.interactions.exportCustomer({ workspaceId, customerId, after, showsNone: false }, call);

async function allOf(workspaceId: string, customerId: string) {
  const pages = [await exportOf(workspaceId, customerId)];
  for (let next = pages[0]?.nextAfter; next; next = pages.at(-1)?.nextAfter) {
    pages.push(await exportOf(workspaceId, customerId, next));
  }
  return { pages, rows: pages.flatMap(({ interactions }) => interactions) };
}

test('returns all of 5,000 interactions of a customer, newest first, in parts of 256 KiB, and no others', async () => {
  const workspace = workspaceOf(system);
  const { workspaceId } = workspace;
  const botId = await workspace.publish(survey);
  const { id } = await workspace.create({ botId, status: 'Pending' });
  await workspace.create({ botId, customerId: 'grace' });
  const foreign = workspaceOf(system);
  await foreign.create({ botId: await foreign.publish(survey) });
  await changeMany(
    system,
    sql`
    insert into interaction (id, workspace_id, customer_id, bot_id, status, priority, type, type_label, context,
      transcript, evaluation)
    select gen_random_uuid(), workspace_id, customer_id, bot_id, status, priority, type, type_label, context,
      json_build_array(json_build_object('seq', 1, 'type', 'bot', 'body', repeat('x', 1000), 'timestamp', 1.5)), '{}'
    from interaction, generate_series(1, 4999) where workspace_id = ${workspaceId} and id = ${id}`,
  );
  const { pages, rows } = await allOf(workspaceId, 'ada');
  const ids = rows.map(({ interaction }) => interaction?.id ?? '');
  expect(new Set(ids).size).toBe(5_000);
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(pages.length).toBeGreaterThan(15);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(700_000);
  for (const { interaction } of rows) expect(interaction?.customerId).toBe('ada');
  expect(pages.map(({ digest }) => typeof digest === 'string')).toEqual(pages.map((_, at) => at === 0));
});

test('has what the conversation has stored besides its transcript, and a digest of every version', async () => {
  const workspace = workspaceOf(system);
  const { workspaceId } = workspace;
  const botId = await workspace.publish(survey);
  const { id } = await workspace.create({ botId, status: 'InProgress' });
  const [before] = [await exportOf(workspaceId, 'ada')];
  expect(before.interactions[0]).toMatchObject({
    botKey: survey.key,
    botVersion: 1,
    startedAt: expect.any(Date),
  });
  expect(JSON.parse(before.interactions[0]?.conversation ?? '')).toMatchObject({
    answers: {},
    customer: { id: 'ada' },
    locale: expect.any(String),
  });
  await workspace.update(id, { priority: 'Low' });
  expect((await exportOf(workspaceId, 'ada')).digest).not.toBe(before.digest);
  expect(await exportOf(workspaceId, 'nobody')).toMatchObject({ interactions: [], nextAfter: null });
});
