import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceWithConversations } from './conversations.ts';
import { survey } from './definitions.ts';
import { call, type Interactions, startInteractions, workspaceOf } from './fixture.ts';
import { twoQuestions } from './model/two-questions.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

const text = (definition: unknown): string => JSON.stringify(definition);

describe('the versions of a bot', () => {
  it('keep their text byte for byte, with who published it, when and why', async () => {
    const { workspaceId } = workspaceOf(system);
    const first = `\t${JSON.stringify({ ...survey, description: 'é \\u00e9' }, null, 3)}\r\n`;
    const created = await system.bots.createBot(
      { workspaceId, definition: first, idempotency: null, publishedBy: 'key-1' },
      call,
    );
    const id = created.bot?.id ?? '';
    // JSON that JavaScript would write in another way.
    const second = text({ ...survey, stalledAfterSeconds: 90 })
      .replace('90', '9.0e1')
      .replace('S', '\\u0053');
    await system.bots.publishBotVersion(
      { workspaceId, id, definition: second, idempotency: null, note: 'Shorter', publishedBy: 'key-2' },
      call,
    );
    const read = (version: number) => system.bots.getBotVersion({ workspaceId, id, version }, call);
    const at = expect.any(Date);
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const rest = { publishedAt: at, digest, restoredFrom: null };
    expect(await read(1)).toEqual({
      version: { ...rest, version: 1, publishedBy: 'key-1', note: null, isLive: false },
      key: survey.key,
      definition: first,
    });
    expect(await read(2)).toEqual({
      version: { ...rest, version: 2, publishedBy: 'key-2', note: 'Shorter', isLive: true },
      key: survey.key,
      definition: second,
    });
    const { versions } = await system.bots.listBotVersions({ workspaceId, id }, call);
    expect(versions).toEqual([(await read(2)).version, (await read(1)).version]);
    await expect(read(3)).rejects.toMatchObject({ code: 'not_found' });
    const elsewhere = { workspaceId: workspaceOf(system).workspaceId, id, version: 1 };
    await expect(system.bots.getBotVersion(elsewhere, call)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('have the operator as publisher without an API key', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const { version } = await system.bots.getBotVersion({ workspaceId, id, version: 1 }, call);
    expect(version?.publishedBy).toBe('operator');
  });

  it('can be restored: the same text becomes a new version, and the bot has its name and context again', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const publish = { workspaceId, id, definition: '', idempotency: null };
    const next = { ...survey, name: 'Survey two', context: [{ name: 'product' }] };
    await system.bots.publishBotVersion({ ...publish, definition: text(next) }, call);
    const restored = await system.bots.publishBotVersion({ ...publish, restore: 1, note: 'Back' }, call);
    expect(restored.bot).toMatchObject({ version: 3, name: 'Survey', context: ['product', 'plan'] });
    const read = (version: number) => system.bots.getBotVersion({ workspaceId, id, version }, call);
    const [first, third] = [await read(1), await read(3)];
    expect(third.definition).toBe(first.definition);
    expect(third.version).toMatchObject({
      digest: first.version?.digest,
      restoredFrom: 1,
      note: 'Back',
      isLive: true,
    });
    expect((await system.bots.publishBotVersion({ ...publish, restore: 3 }, call)).bot?.version).toBe(4);
    await expect(system.bots.publishBotVersion({ ...publish, restore: 9 }, call)).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [{ pointer: '/restore', detail: 'The bot has no version 9' }],
    });
  });

  it('are published only while the expected one is live: of concurrent calls one succeeds', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const publish = (name: string, expectedVersion: number) =>
      system.bots.publishBotVersion(
        { workspaceId, id, definition: text({ ...survey, name }), idempotency: null, expectedVersion },
        call,
      );
    const settled = await Promise.allSettled(['A', 'B', 'C', 'D'].map((name) => publish(name, 1)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusal = {
      code: 'failed_precondition',
      type: 'unexpected-bot-version',
      message: 'Version 2 of the bot is live, not 1',
    };
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject(refusal);
    const bot = await system.bots.getBot({ workspaceId, id }, call);
    // Also where the definition is the live one.
    await expect(publish(bot.name, 1)).rejects.toMatchObject(refusal);
    expect((await publish(bot.name, 2)).bot?.version).toBe(2);
    const restore = { workspaceId, id, definition: '', idempotency: null, expectedVersion: 1, restore: 1 };
    await expect(system.bots.publishBotVersion(restore, call)).rejects.toMatchObject(refusal);
  });

  it('that were published under earlier rules can be restored', async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const old = text({ ...survey, steps: [{ id: 'x', kind: 'dance' }] });
    await sql`update bot_version set definition = ${old} where bot_id = ${id}`.execute(system.db);
    const request = { workspaceId, id, definition: '', idempotency: null, restore: 1 };
    expect((await system.bots.publishBotVersion(request, call)).bot?.version).toBe(2);
  });
});

describe('a replay of conversations with another definition', () => {
  const change = { ...twoQuestions() };
  const other = {
    ...change,
    steps: change.steps.map((step) => (step.id === 'bye' ? { ...step, text: 'So long.' } : step)),
  };

  it('says which of the last completed ones differ, the newest first, and changes none', async () => {
    const workspace = workspaceWithConversations(system);
    const { workspaceId } = workspace;
    const botId = await workspace.publish(twoQuestions());
    const session = workspace.session();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = await workspace.offer(botId);
      await workspace.begin(session, id);
      await workspace.post(session, id, { seq: 2, stepId: 'score', answer: { value: 9 } });
      await workspace.post(session, id, { seq: 4, stepId: 'why', answer: { skip: true } });
      ids.unshift(id);
    }
    const before = await Promise.all(ids.map((id) => workspace.get(id)));
    const replay = (definition: unknown, limit = 50) =>
      system.bots.replayConversations({ workspaceId, id: botId, definition: text(definition), limit }, call);
    expect(await replay(twoQuestions())).toMatchObject({ replayed: 3, differing: 0, differences: [] });
    const differing = await replay(other);
    expect(differing).toMatchObject({ replayed: 3, differing: 3, incomplete: 0 });
    expect(differing.differences.map(({ interactionId }) => interactionId)).toEqual(ids);
    expect(differing.groups).toMatchObject([
      { count: 3, texts: [{ before: 'Bye, and thanks.', after: 'So long.' }] },
    ]);
    expect(await replay(other, 2)).toMatchObject({ replayed: 2, differing: 2 });
    expect(await Promise.all(ids.map((id) => workspace.get(id)))).toEqual(before);
  });

  it('needs a bot of the workspace and a valid definition', async () => {
    const workspace = workspaceWithConversations(system);
    const id = await workspace.publish(twoQuestions());
    const replay = (definition: unknown, workspaceId = workspace.workspaceId) =>
      system.bots.replayConversations({ workspaceId, id, definition: text(definition), limit: 1 }, call);
    const elsewhere = replay(other, workspaceOf(system).workspaceId);
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' });
    await expect(replay({ ...other, steps: [] })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('the draft of a bot', () => {
  const prepare = async () => {
    const workspace = workspaceOf(system);
    const { workspaceId } = workspace;
    const id = await workspace.publish(survey);
    const bot = { workspaceId, botId: id };
    const save = (
      definition: unknown,
      fields: { ifVersion?: number; ifAbsent?: boolean; updatedBy?: string },
    ) =>
      system.bots.saveBotDraft(
        { ...bot, definition: text(definition), updatedBy: 'key-1', ifAbsent: false, ...fields },
        call,
      );
    const publish = (fields: object = {}) =>
      system.bots.publishBotVersion(
        { workspaceId, id, definition: '', idempotency: null, publishDraft: true, ...fields },
        call,
      );
    return { workspaceId, id, bot, save, publish };
  };

  it('has a version that rises, also when it is removed and another one begins', async () => {
    const { workspaceId, bot, save } = await prepare();
    await expect(system.bots.getBotDraft(bot, call)).rejects.toMatchObject({ code: 'not_found' });
    const first = await save({}, { ifAbsent: true });
    const second = await save({ name: 'B' }, { ifVersion: first.version });
    expect(await system.bots.getBotDraft(bot, call)).toEqual(second);
    await system.bots.discardBotDraft({ ...bot, ifVersion: second.version }, call);
    expect(await system.bots.listBotDrafts({ workspaceId }, call)).toEqual({ drafts: [] });
    const third = await save({}, { ifAbsent: true });
    expect(third.version).toBeGreaterThan(second.version);
    const { drafts } = await system.bots.listBotDrafts({ workspaceId }, call);
    expect(drafts).toMatchObject([
      { botId: bot.botId, version: third.version, updatedBy: 'key-1', faults: [] },
    ]);
  });

  it('that others save while it is published is either published or stays: no text is lost', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, workspaceId, bot, save, publish } = await prepare();
      const named = (name: string) => ({ ...survey, name });
      const { version } = await save(named('Seen'), { ifAbsent: true });
      const [published, saved] = await Promise.allSettled([
        publish({ ifDraftVersion: version }),
        save(named('Later'), { ifVersion: version, updatedBy: 'key-2' }),
      ]);
      // One of both was first.
      expect([published.status, saved.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const live = await system.bots.getBot({ workspaceId, id }, call);
      if (published.status === 'fulfilled') expect(live).toMatchObject({ version: 2, name: 'Seen' });
      else expect((await system.bots.getBotDraft(bot, call)).definition).toBe(text(named('Later')));
    }
  });

  it('is the only one that is published: a second call finds none, and another version is not replaced', async () => {
    const { save, publish, bot } = await prepare();
    await save({ ...survey, name: 'New' }, { ifAbsent: true });
    await expect(publish({ expectedVersion: 7 })).rejects.toMatchObject({ type: 'unexpected-bot-version' });
    expect((await system.bots.getBotDraft(bot, call)).faults).toEqual([]);
    expect((await publish()).bot).toMatchObject({ version: 2, name: 'New' });
    await expect(publish()).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});
