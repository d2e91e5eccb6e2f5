import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, type Interactions, startInteractions } from './fixture.ts';
import { refusal, type WorkspaceWithConversations, workspaceWithConversations } from './conversations.ts';
import { twoQuestions } from './model/two-questions.ts';

const nothing = { code: 'not_found', type: 'not-found', message: 'There is no such resource' };

let service: Interactions;
let workspace: WorkspaceWithConversations;
let bot: string;

beforeAll(async () => {
  service = await startInteractions();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  bot = await workspace.publish(twoQuestions());
});

const open = (token: string) => service.conversations.openLink({ token }, call);

describe('opening a link', () => {
  it('returns the interaction, and changes nothing when repeated', async () => {
    const made = await workspace.offer(bot, { expirySeconds: 600 });
    for (let times = 0; times < 5; times += 1) {
      expect(await open(made.linkToken)).toEqual({
        workspaceId: workspace.workspaceId,
        interactionId: made.id,
        linkVersion: 1,
        grant: expect.any(String),
        status: 'Pending',
        botName: 'Two questions',
        unavailable: false,
        isAnonymous: null,
        availableFrom: null,
      });
    }
    expect(await workspace.get(made.id)).toEqual(made);
  });

  it.each([
    [`anonymous-${'0f'.repeat(16)}`, true],
    ['anonymous-4711', null],
    [`anonymous-${'0F'.repeat(16)}`, null],
  ])('of the customer %s says whether that is one of an open link: %s', async (customerId, isAnonymous) => {
    const { linkToken } = await workspace.offer(bot, { customerId });
    expect(await open(linkToken)).toMatchObject({ isAnonymous });
  });

  it.each(['Pending', 'InProgress', 'Completed', 'Expired'] as const)(
    'of a %s one returns that status',
    async (status) => {
      const { linkToken } = await workspace.offer(bot, { status });
      expect(await open(linkToken)).toMatchObject({ status });
    },
  );

  it('of an overdue one returns Expired and still changes nothing', async () => {
    const made = await workspace.offer(bot, { expirySeconds: 0.001 });
    await service.db.transaction().execute(async (trx) => {
      // The sweep that expires interactions cannot change it meanwhile; nor could this read.
      const row = trx
        .selectFrom('interaction')
        .select(['status', 'version'])
        .where('workspaceId', '=', workspace.workspaceId)
        .where('id', '=', made.id)
        .forUpdate();
      const before = await row.executeTakeFirstOrThrow();
      expect(await open(made.linkToken)).toMatchObject({ status: 'Expired' });
      expect(await row.executeTakeFirstOrThrow()).toEqual(before);
    });
  });

  it('finds nothing for a forged token', async () => {
    const made = await workspace.offer(bot);
    const last = made.linkToken.at(-1) === '0' ? '1' : '0';
    const tokens = [
      `${made.linkToken.slice(0, -1)}${last}`,
      `${made.linkToken}0`,
      made.id,
      uuidv7(),
      '',
      'x'.repeat(10_000),
    ];
    for (const token of tokens) expect(await refusal(open(token))).toEqual(nothing);
  });

  it('a revoked link is unavailable, and has its workspace', async () => {
    const { workspaceId } = workspace;
    const { linkToken } = await workspace.offer(bot, { customerId: 'bob' });
    const bob = { workspaceId, customerId: 'bob', customerVersion: 2 };
    await service.interactions.redactCustomer({ ...bob, details: ['Bob'], pageToken: '' }, call);
    expect(await open(linkToken)).toMatchObject({ workspaceId, unavailable: true });
  });

  it('a draft’s link is unavailable until the draft becomes Pending', async () => {
    const { id, linkToken } = await workspace.offer(bot, { status: 'Draft' });
    expect(await open(linkToken)).toMatchObject({ workspaceId: workspace.workspaceId, unavailable: true });
    await workspace.update(id, { status: 'Pending' });
    expect(await open(linkToken)).toMatchObject({ interactionId: id, status: 'Pending', unavailable: false });
  });
});

describe('the session of a link', () => {
  it('can read, start and continue its one interaction', async () => {
    const { id } = await workspace.offer(bot, { priority: 'Low' });
    await workspace.offer(bot, { priority: 'High' });
    const session = workspace.linkSession(id);
    const { pending } = await service.conversations.getPending({ session }, call);
    expect(pending).toMatchObject({ interactionId: id, more: 0 });
    expect(await workspace.begin(session, id)).toMatchObject({ status: 'InProgress', seq: 2 });
    const { snapshot } = await workspace.post(session, id, { seq: 2, stepId: 'score', answer: { value: 3 } });
    expect(snapshot.seq).toBe(4);
    expect(await workspace.read(session, id)).toEqual(snapshot);
  });

  it('has no transcript if it begins after the end, unless the bot allows it; others keep theirs', async () => {
    const shown = await workspace.publish({ ...twoQuestions(), key: 'shown', showTranscript: true });
    for (const [botId, isShown] of [
      [bot, false],
      [shown, true],
    ] as const) {
      const { id } = await workspace.offer(botId);
      const early = workspace.linkSession(id);
      await workspace.begin(early, id);
      const late = workspace.lateLinkSession(id);
      expect((await workspace.read(late, id)).entries).toHaveLength(2);
      await workspace.update(id, { status: 'Completed' });
      expect((await workspace.read(early, id)).entries).toHaveLength(2);
      expect((await workspace.read(workspace.session(), id)).entries).toHaveLength(2);
      for (const after of [0, 1]) {
        const { status, entries } = await workspace.read(late, id, { after });
        expect([status, entries.length]).toEqual(['Completed', isShown ? 2 - after : 0]);
      }
    }
  });

  it('ends with the link', async () => {
    const { id } = await workspace.offer(bot);
    const session = workspace.linkSession(id, 2);
    expect(await refusal(workspace.read(session, id))).toEqual(nothing);
    expect(await service.conversations.getPending({ session }, call)).toEqual({ pending: null });
  });
});
