import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { purgePresences } from '../src/bots/presence-store.ts';
import { survey } from './definitions.ts';
import { call, type Interactions, startInteractions, workspaceOf } from './fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspaceId: string;
let botId: string;
beforeEach(async () => {
  const workspace = workspaceOf(system);
  ({ workspaceId } = workspace);
  botId = await workspace.publish(survey);
});

const [ada, bob] = [randomUUID(), randomUUID()];
const of = (personId: string, presenceId: string) => ({ workspaceId, botId, personId, presenceId });

async function renew(personId: string, presenceId: string, { bots } = system) {
  const { presences } = await bots.renewPresence(of(personId, presenceId), call);
  return presences;
}

/** Lets time pass for all presences of the bot. */
async function passes(seconds: number): Promise<void> {
  await sql`
    update presence set opened_at = opened_at - make_interval(secs => ${seconds}),
      renewed_at = renewed_at - make_interval(secs => ${seconds})
    where bot_id = ${botId}`.execute(system.db);
}

test('each tab is listed since it was opened, on every replica, and ends at once with its own call', async () => {
  await using other = await system.startReplica();
  const [first, second] = [randomUUID(), randomUUID()];
  const [opened] = await renew(ada, first);
  expect(opened).toEqual({ id: first, personId: ada, openedAt: expect.any(Date) });
  await passes(10);
  const { presences } = await other.bots.renewPresence(of(bob, second), call);
  expect(presences.map(({ id, personId }) => [id, personId])).toEqual([
    [first, ada],
    [second, bob],
  ]);
  // A renewal does not change since when.
  const [renewed] = await renew(ada, first);
  expect(renewed).toEqual(presences[0]);

  await expect(system.bots.endPresence(of(bob, first), call)).rejects.toMatchObject({ code: 'not_found' });
  await other.bots.endPresence(of(ada, first), call);
  expect((await renew(bob, second)).map(({ id }) => id)).toEqual([second]);
  await expect(system.bots.endPresence(of(ada, first), call)).rejects.toMatchObject({ code: 'not_found' });
});

test('a tab that is silent for 25 seconds is gone, and begins again when it comes back', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const [opened] = await renew(ada, first);
  await passes(24);
  expect((await renew(bob, second)).map(({ id }) => id)).toEqual([first, second]);
  await passes(2);
  expect((await renew(bob, second)).map(({ id }) => id)).toEqual([second]);
  const [, back] = await renew(ada, first);
  expect(back).toMatchObject({ id: first, personId: ada });
  expect(Number(back?.openedAt)).toBeGreaterThanOrEqual(Number(opened?.openedAt));
});

test('rows that are over are deleted, others stay', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  await renew(ada, first);
  await passes(26);
  await renew(bob, second);
  await purgePresences(system.db);
  const rows = await system.db.selectFrom('presence').select('id').where('botId', '=', botId).execute();
  expect(rows).toEqual([{ id: second }]);
});

test('a list has at most 100 tabs, those that were opened first', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into presence (bot_id, workspace_id, person_id, id, opened_at)
    select ${botId}, ${workspaceId}, ${ada}, gen_random_uuid(), now() - make_interval(secs => n)
    from generate_series(1, 100) n returning id`.execute(system.db);
  const listed = await renew(bob, randomUUID());
  expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
});

test('a person has at most ten tabs in a bot: a further one ends the least recently renewed one', async () => {
  const [ofBob, ...tabs] = Array.from({ length: 12 }, () => randomUUID());
  await renew(bob, ofBob ?? '');
  for (const tab of tabs) {
    await passes(1);
    await renew(ada, tab);
  }
  const listed = await renew(bob, ofBob ?? '');
  expect(listed.map(({ id }) => id)).toEqual([ofBob, ...tabs.slice(1)]);
  // Renewing one of ten ends none.
  await renew(ada, tabs[1] ?? '');
  expect(await renew(bob, ofBob ?? '')).toEqual(listed);
});

test('a bot of another workspace does not exist', async () => {
  const id = randomUUID();
  await renew(ada, id);
  const elsewhere = { ...of(ada, id), workspaceId: workspaceOf(system).workspaceId };
  for (const sent of [system.bots.renewPresence(elsewhere, call), system.bots.endPresence(elsewhere, call)])
    await expect(sent).rejects.toMatchObject({ code: 'not_found' });
  expect((await renew(ada, id)).map((one) => one.id)).toEqual([id]);
});
