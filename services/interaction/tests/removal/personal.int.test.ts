import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { notice, survey } from '../definitions.ts';
import { call, type Interactions, startInteractions, type Workspace, workspaceOf } from '../fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(definition);
});

/** Its reason is personal by a mark, and what is computed from the customer by itself. */
const definition = {
  ...survey,
  context: [{ name: 'product' }, { name: 'street', pii: true }],
  evaluation: { score: {}, reason: { pii: true }, greeting: {}, double: {} },
  steps: [
    ...survey.steps.slice(0, -1),
    {
      id: 'compute',
      kind: 'set',
      evaluation: { greeting: '"Dear " + customer.firstName', double: 'string(answers.score * 2.0)' },
    },
    ...survey.steps.slice(-1),
  ],
};

/** Publishes a version of the bot in which nothing is marked. */
async function publishUnmarked(): Promise<void> {
  const unmarked = {
    ...definition,
    context: [{ name: 'product' }, { name: 'street' }],
    evaluation: { score: {}, reason: {}, greeting: {}, double: {} },
    steps: definition.steps.map((step) => ({ ...step, pii: undefined })),
  };
  await system.bots.publishBotVersion(
    {
      workspaceId: workspace.workspaceId,
      id: botId,
      definition: JSON.stringify(unmarked),
      idempotency: null,
    },
    call,
  );
}

describe('the names in interactions that are not personal', () => {
  const namesOf = async (ids: string[], { workspaceId } = workspace) => {
    const request = { workspaceId, interactionIds: ids };
    const { interactions } = await system.interactions.listNonPersonalNames(request, call);
    return new Map(interactions.map(({ interactionId, ...names }) => [interactionId, names]));
  };
  /** Starts an interaction with a version of the bot, and gives it an evaluation. */
  const begin = async (version: number | null, evaluation: object): Promise<string> => {
    const { id } = await workspace.create({ botId, context: { product: 'Tea', street: 'Lane 1' } });
    await sql`
      update interaction set bot_version = ${version}, evaluation = ${JSON.stringify(evaluation)}
      where workspace_id = ${workspace.workspaceId} and id = ${id}`.execute(system.db);
    return id;
  };
  const evaluation = { score: '9', reason: 'Late', greeting: 'Dear Ada', double: '18', undeclared: 'x' };

  test('follow from the version that each runs on, before its start from the live one', async () => {
    const [marked, unstarted] = [await begin(1, evaluation), await begin(null, {})];
    const before = { evaluation: ['score', 'double'], context: ['product'], transcript: [] };
    expect(await namesOf([marked, unstarted])).toEqual(
      new Map([
        [marked, before],
        [unstarted, { evaluation: [], context: ['product'], transcript: [] }],
      ]),
    );
    await publishUnmarked();
    const unmarked = await begin(2, evaluation);
    expect(await namesOf([marked, unstarted, unmarked])).toEqual(
      new Map([
        [marked, before],
        [unstarted, { evaluation: [], context: ['product', 'street'], transcript: [] }],
        [
          unmarked,
          { evaluation: ['score', 'reason', 'double'], context: ['product', 'street'], transcript: [] },
        ],
      ]),
    );
  });

  test('are those of the workspace only, and of at most 500 interactions', async () => {
    const id = await begin(1, evaluation);
    expect((await namesOf([id, uuidv7()])).size).toBe(1);
    expect((await namesOf([id], workspaceOf(system))).size).toBe(0);
    await expect(namesOf(Array.from({ length: 501 }, () => id))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});

describe('the personal ones of some keys', () => {
  const personalOf = async (
    keys: string[],
    bot: { id?: string; key?: string } = {},
    { workspaceId } = workspace,
  ) => (await system.bots.listPersonalKeys({ workspaceId, keys, ...bot }, call)).keys.toSorted();
  const all = ['score', 'reason', 'greeting', 'double', 'undeclared'];

  test('are personal in any version of any bot, or of the given one', async () => {
    await publishUnmarked();
    const other = await workspace.publish({ ...notice, evaluation: { score: { pii: true }, double: {} } });
    expect(await personalOf(all)).toEqual(['greeting', 'reason', 'score']);
    expect(await personalOf(all, { id: botId })).toEqual(['greeting', 'reason']);
    expect(await personalOf(all, { key: survey.key })).toEqual(['greeting', 'reason']);
    expect(await personalOf(all, { id: other, key: notice.key })).toEqual(['score']);
    expect(await personalOf(all, { id: other, key: survey.key })).toEqual([]);
    expect(await personalOf(all, { key: 'unknown' })).toEqual([]);
    expect(await personalOf(all, {}, workspaceOf(system))).toEqual([]);
  });

  test('are all of them if there are more versions than can be looked at', async () => {
    const grow = async (count: number) =>
      sql`
        insert into bot_version (bot_id, workspace_id, version, definition, digest, published_by)
        select bot_id, workspace_id, version + ${count}::int + n, definition, digest, published_by
        from bot_version, generate_series(1, ${count}) as n
        where workspace_id = ${workspace.workspaceId} and bot_id = ${botId} and version = 1`.execute(
        system.db,
      );
    await grow(199);
    expect(await personalOf(all)).toEqual(['greeting', 'reason']);
    await grow(1_000);
    expect(await personalOf(all)).toEqual(all.toSorted());
    const other = await workspace.publish(notice);
    expect(await personalOf(all, { id: other })).toEqual([]);
  });
});
