import { eventually } from '@parley/testing/eventually';
import { expect, onTestFinished, test } from 'vitest';
import { createConversation, randomFrom } from './conversations.ts';
import { call, startSystem } from './system.ts';
import { converse } from './traffic.ts';

/** More than the writes of a transaction, so that most end: each that does not costs a wait of seconds. */
const every = 17;
const tables = ['inbox', 'contribution', 'figure', 'generation', 'freshness', 'events_behind', 'lease'];

/** Ends the connection of every 17th write to any of the tables, and of some at their commit. */
const install = `
  create sequence insight.write;
  grant usage on sequence insight.write to parley_insight;
  create function insight.end_connection() returns trigger language plpgsql as $$
  begin
    if nextval('insight.write') % ${every} = 0 then perform pg_terminate_backend(pg_backend_pid()); end if;
    return null;
  end $$;
  create constraint trigger at_commit after update on insight.generation deferrable initially deferred
    for each row execute function insight.end_connection();
  create constraint trigger at_commit after update on insight.freshness deferrable initially deferred
    for each row execute function insight.end_connection();
  ${tables
    .map(
      (table) => `create trigger before_write before insert or update or delete on insight.${table}
        for each statement execute function insight.end_connection();`,
    )
    .join('\n')}`;

const uninstall = `drop function insight.end_connection cascade; drop sequence insight.write`;

test('connections that end at any step of counting, scanning and replacing change no figure', async () => {
  const system = await startSystem();
  onTestFinished(() => system[Symbol.asyncDispose]());
  const { admin, interactions } = system;
  const connectionsEnded = async (): Promise<number> => {
    const ended = `select last_value::int / ${every} as ended from insight.write`;
    return (await admin.query<{ ended: number }>(ended))[0]?.ended ?? 0;
  };
  const random = randomFrom(8);
  for (let index = 0; index < 2_000; index += 1) {
    const { facts } = createConversation(random);
    interactions.facts.set(facts.interactionId, facts);
  }
  await admin.query(install);
  const client = await system.startReplica();
  await system.startReplica();
  await system.live();
  await converse(interactions, 9, 10);
  await eventually(() => client.startRebuild({}, call));
  await converse(interactions, 10, 10);
  await eventually(async () =>
    expect(await client.getRebuild({}, call)).toMatchObject({
      finishedAt: expect.any(Date),
      counted: expect.any(Number),
    }),
  );
  await system.countedAll();
  // The busier the machine, the more is written at once.
  for (let seed = 20; (await connectionsEnded()) <= 20; seed += 1) {
    await converse(interactions, seed, 5);
    await system.countedAll();
  }
  await admin.query(uninstall);
  await converse(interactions, 11, 2);
  await system.countedAll();
});
