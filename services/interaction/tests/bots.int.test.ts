import { AppError } from '@parley/runtime/errors';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WorkspaceWithConversations, workspaceWithConversations } from './conversations.ts';
import { notice, survey } from './definitions.ts';
import { botsPerWorkspaceMax, versionsPerBotMax } from '../src/bots/store.ts';
import {
  call,
  changeMany,
  idempotencyKey,
  type Interactions,
  startInteractions,
  workspaceOf,
} from './fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

const text = (definition: unknown): string => JSON.stringify(definition);

describe('creating a bot', () => {
  it('creates version 1 and returns its name and context', async () => {
    const { workspaceId } = workspaceOf(system);
    const { bot, replayed } = await system.bots.createBot(
      { workspaceId, definition: text(survey), idempotency: null },
      call,
    );
    expect(replayed).toBe(false);
    expect(bot).toMatchObject({ key: 'survey', name: 'Survey', context: ['product', 'plan'], version: 1 });
    expect(await system.bots.getBot({ workspaceId, id: bot?.id ?? '' }, call)).toEqual(bot);
    const { versions } = await system.bots.listBotVersions({ workspaceId, id: bot?.id ?? '' }, call);
    expect(versions).toHaveLength(1);
    expect(versions[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('rejects a key that exists in the workspace', async () => {
    const workspace = workspaceOf(system);
    await workspace.publish(survey);
    const { bots } = await system.bots.listBots({ workspaceId: workspace.workspaceId }, call);
    await expect(workspace.publish({ ...survey, name: 'Other' })).rejects.toMatchObject({
      code: 'already_exists',
      type: 'bot-key-in-use',
      message: `The bot ${bots[0]?.id} of the workspace has this key`,
    });
    await expect(workspaceOf(system).publish(survey)).resolves.toBeTruthy();
  });

  it('reports all faults of a definition at once, and writes nothing', async () => {
    const workspace = workspaceOf(system);
    const error = await workspace
      .publish({ ...survey, key: 'Not A Key', steps: [{ id: 'x', kind: 'dance' }] })
      .catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(AppError);
    const pointers = (error as AppError).faults?.map((fault) => fault.pointer);
    expect(pointers).toEqual(expect.arrayContaining(['/key', '/steps/0/kind']));
    const { bots } = await system.bots.listBots({ workspaceId: workspace.workspaceId }, call);
    expect(bots).toEqual([]);
  });

  it('concurrent creations do not exceed the maximum of a workspace, and keys in use are still reported', async () => {
    const workspace = workspaceOf(system);
    const id = await workspace.publish(survey);
    await sql`
      insert into bot (id, workspace_id, key, name, type, type_label, context)
      select uuidv7(), workspace_id, 'key-' || n, name, type, type_label, context
      from bot, generate_series(1, ${botsPerWorkspaceMax - 3}::int) as n where id = ${id}`.execute(system.db);
    const { workspaceId } = workspace;
    const last = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) =>
        system.bots.createBot(
          {
            workspaceId,
            definition: text({ ...survey, key: `last-${n}` }),
            idempotency: n % 2 === 0 ? null : idempotencyKey(`${n}`),
          },
          call,
        ),
      ),
    );
    const refused = last.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(4);
    for (const reason of refused) {
      expect(reason).toMatchObject({ code: 'failed_precondition', type: 'too-many-bots' });
    }
    const { rows } = await sql`select from bot where workspace_id = ${workspaceId}`.execute(system.db);
    expect(rows).toHaveLength(botsPerWorkspaceMax);
    await expect(workspace.publish(survey)).rejects.toMatchObject({ type: 'bot-key-in-use' });
    await expect(workspaceOf(system).publish(survey)).resolves.toBeTruthy();
  });

  it('happens once for one Idempotency-Key, also for concurrent equal calls', async () => {
    const { workspaceId } = workspaceOf(system);
    const idempotency = idempotencyKey('a');
    const create = () => system.bots.createBot({ workspaceId, definition: text(survey), idempotency }, call);
    const answers = await Promise.all(Array.from({ length: 5 }, create));
    expect(new Set(answers.map((answer) => answer.bot?.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    const other = {
      workspaceId,
      definition: text(notice),
      idempotency: { ...idempotencyKey('b'), scope: idempotency.scope },
    };
    await expect(system.bots.createBot(other, call)).rejects.toMatchObject({ code: 'unprocessable' });
  });
});

describe('publishing a version', () => {
  it('increments the version and sets the bot’s new name and context', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const next = { ...survey, name: 'Survey two', context: [{ name: 'product' }] };
    const { bot } = await system.bots.publishBotVersion(
      { workspaceId, id, definition: text(next), idempotency: null },
      call,
    );
    expect(bot).toMatchObject({ id, version: 2, name: 'Survey two', context: ['product'] });
    const { versions } = await system.bots.listBotVersions({ workspaceId, id }, call);
    expect(versions.map((version) => version.version)).toEqual([2, 1]);
  });

  it('rejects more versions than the maximum, but not the current definition', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    await sql`
      insert into bot_version (bot_id, workspace_id, version, definition, digest, published_by)
      select bot_id, workspace_id, ${versionsPerBotMax}::int, definition, digest, published_by from bot_version where bot_id = ${id}`.execute(
      system.db,
    );
    await sql`update bot set version = ${versionsPerBotMax} where id = ${id}`.execute(system.db);
    const publish = (definition: object) =>
      system.bots.publishBotVersion(
        { workspaceId, id, definition: text(definition), idempotency: null },
        call,
      );
    await expect(publish({ ...survey, name: 'Other' })).rejects.toMatchObject({
      code: 'failed_precondition',
      type: 'too-many-bot-versions',
    });
    expect((await publish(survey)).bot?.version).toBe(versionsPerBotMax);
  });

  it('creates no version of the current definition, in any spelling', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const same = JSON.stringify(Object.fromEntries(Object.entries(survey).toReversed()), null, 3);
    const { bot } = await system.bots.publishBotVersion(
      { workspaceId, id, definition: same, idempotency: null },
      call,
    );
    expect(bot?.version).toBe(1);
  });

  it('happens once for one Idempotency-Key, also for concurrent equal calls', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const idempotency = idempotencyKey('a');
    const publish = (name: string, key = idempotency) =>
      system.bots.publishBotVersion(
        { workspaceId, id, definition: text({ ...survey, name }), idempotency: key },
        call,
      );
    const answers = await Promise.all(Array.from({ length: 5 }, () => publish('Two')));
    expect(answers.map(({ bot }) => bot?.version)).toEqual([2, 2, 2, 2, 2]);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    const other = publish('Three', { ...idempotencyKey('b'), scope: idempotency.scope });
    await expect(other).rejects.toMatchObject({ code: 'unprocessable' });
  });

  it('creates one version for each of several concurrent definitions, and one for equal ones', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const publish = (name: string) =>
      system.bots.publishBotVersion(
        { workspaceId, id, definition: text({ ...survey, name }), idempotency: null },
        call,
      );
    const answers = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(publish));
    expect(new Set(answers.map((answer) => answer.bot?.version))).toEqual(new Set([2, 3, 4, 5, 6]));
    const twins = await Promise.all(['T', 'T', 'T', 'T'].map(publish));
    expect(new Set(twins.map((answer) => answer.bot?.version))).toEqual(new Set([7]));
  });

  it('rejects the definition of another bot', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    await expect(
      system.bots.publishBotVersion({ workspaceId, id, definition: text(notice), idempotency: null }, call),
    ).rejects.toMatchObject({ code: 'invalid_argument', faults: [{ pointer: '/key' }] });
  });
});

describe('reading bots', () => {
  it('lists those of the workspace, oldest first', async () => {
    const workspace = workspaceOf(system);
    const ids = [await workspace.publish(survey), await workspace.publish(notice)];
    const { bots } = await system.bots.listBots({ workspaceId: workspace.workspaceId }, call);
    expect(bots.map((bot) => bot.id)).toEqual(ids);
  });

  it('lists many bots and many versions in parts, each once', async () => {
    const { workspaceId, publish } = workspaceOf(system);
    const id = await publish(survey);
    await changeMany(
      system,
      sql`
      insert into bot (id, workspace_id, key, name, type, type_label, context)
      select uuidv7(), workspace_id, 'key-' || n, repeat('n', 200), type, type_label, array_fill(repeat('c', 64), array[50])
      from bot, generate_series(1, 450) as n where id = ${id}`,
    );
    await changeMany(
      system,
      sql`
      insert into bot_version (bot_id, workspace_id, version, definition, digest, published_by)
      select bot_id, workspace_id, n, '{}', digest, published_by from bot_version, generate_series(2, 4500) as n
      where bot_id = ${id}`,
    );
    await sql`update bot set version = 4500 where id = ${id}`.execute(system.db);

    const bots: number[] = [];
    const ids = new Set<string>();
    for (let after: string | undefined, isFirst = true; isFirst || after; isFirst = false) {
      const part = await system.bots.listBots({ workspaceId, after }, call);
      expect(part.digest).toEqual(isFirst ? expect.stringMatching(/^[0-9a-f]{32}$/) : null);
      bots.push(part.bots.length);
      for (const bot of part.bots) ids.add(bot.id);
      after = part.nextAfter ?? undefined;
    }
    expect([bots, ids.size]).toEqual([[200, 200, 51], 451]);

    const versions: number[] = [];
    for (let after: number | undefined, isFirst = true; isFirst || after; isFirst = false) {
      const part = await system.bots.listBotVersions({ workspaceId, id, after }, call);
      expect(part.versions.length).toBeLessThanOrEqual(500);
      versions.push(...part.versions.map(({ version }) => version));
      after = part.nextAfter ?? undefined;
    }
    expect(versions).toEqual(Array.from({ length: 4_500 }, (_, n) => 4_500 - n));
  });

  it('finds the bot of a key only in its own workspace', async () => {
    const workspace = workspaceOf(system);
    const id = await workspace.publish(survey);
    await workspaceOf(system).publish(notice);
    const ofKey = async (key: string) => {
      const { bots } = await system.bots.listBots({ workspaceId: workspace.workspaceId, key }, call);
      return bots.map((bot) => bot.id);
    };
    expect([await ofKey(survey.key), await ofKey(notice.key), await ofKey('')]).toEqual([[id], [], []]);
  });

  it.each([uuidv7(), 'not-a-uuid', ''])('does not find %j', async (id) => {
    const { workspaceId } = workspaceOf(system);
    await expect(system.bots.getBot({ workspaceId, id }, call)).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.bots.listBotVersions({ workspaceId, id }, call)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it("does not find another workspace's bot, nor publish to it", async () => {
    const id = await workspaceOf(system).publish(survey);
    const { workspaceId } = workspaceOf(system);
    await expect(system.bots.getBot({ workspaceId, id }, call)).rejects.toMatchObject({ code: 'not_found' });
    const request = { workspaceId, id, definition: text(survey), idempotency: null };
    await expect(system.bots.publishBotVersion(request, call)).rejects.toMatchObject({ code: 'not_found' });
    const restore = { ...request, definition: '', restore: 1 };
    await expect(system.bots.publishBotVersion(restore, call)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the language of a bot', () => {
  let workspace: WorkspaceWithConversations;
  let bot: string;
  beforeAll(async () => {
    workspace = workspaceWithConversations(system);
    bot = await workspace.publish({
      schemaVersion: 1,
      key: 'greeter',
      name: 'Greeter',
      type: 'Greeting',
      locale: 'en',
      steps: [
        { id: 'hi', kind: 'say', text: { en: 'Hello', fr: 'Bonjour' } },
        { id: 'name', kind: 'ask', text: { en: 'Your name?', fr: 'Votre nom ?' }, input: { type: 'text' } },
        { id: 'bye', kind: 'end', text: { en: 'Goodbye', fr: 'Au revoir' } },
      ],
    });
  });

  async function begin(locale: string | undefined) {
    const { id } = await workspace.offer(bot);
    return { id, snapshot: await workspace.begin(workspace.session(), id, locale) };
  }

  it.each([
    ['fr', 'Bonjour'],
    ['fr-CA', 'Bonjour'],
    ['fr-x-mine', 'Bonjour'],
    ['fr-Latn-CA-u-nu-latn', 'Bonjour'],
    ['de', 'Hello'],
    [undefined, 'Hello'],
  ])('a conversation that starts in %s says %s', async (locale, words) => {
    const { snapshot } = await begin(locale);
    expect(snapshot.entries[0]?.body).toBe(words);
  });

  it('a conversation keeps its language when it is started again', async () => {
    const { id } = await begin('fr');
    const session = workspace.session();
    expect((await workspace.begin(session, id, 'en')).entries[0]?.body).toBe('Bonjour');
    const answer = { seq: 2, stepId: 'name', answer: { value: 'Ada' } };
    const { snapshot } = await workspace.post(session, id, answer);
    expect(snapshot.entries.at(-1)?.body).toBe('Au revoir');
  });
});
