import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Interactions, startInteractions } from '../fixture.ts';
import { refusal, type WorkspaceWithConversations, workspaceWithConversations } from '../conversations.ts';
import { twoQuestions } from './two-questions.ts';

/** Far more than a busy machine takes, and far less than readers are ready to wait. */
const soonMs = 15_000;

let service: Interactions;
let other: Awaited<ReturnType<Interactions['startReplica']>>;
let workspace: WorkspaceWithConversations;
/** The workspace through another replica of the service. */
let elsewhere: WorkspaceWithConversations;
let bot: string;

beforeAll(async () => {
  service = await startInteractions();
  other = await service.startReplica();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  workspace = workspaceWithConversations(service);
  elsewhere = workspaceWithConversations({ ...service, ...other }, workspace.workspaceId);
  bot = await workspace.publish(twoQuestions());
});

/** Returns the answer of the call and its duration in milliseconds. */
async function timed<T>(promise: Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const from = performance.now();
  const answer = await promise;
  return { answer, tookMs: performance.now() - from };
}

/** Runs the change while the reader waits. Expects an answer soon after the change. */
async function heard(
  session: ReturnType<WorkspaceWithConversations['session']>,
  id: string,
  after: number,
  change: () => Promise<unknown>,
) {
  let answered = false;
  const reading = workspace.read(session, id, { after, waitSeconds: 25 }).finally(() => {
    answered = true;
  });
  // When a later read of the same row returns, the earlier one has been processed.
  await workspace.read(session, id);
  await workspace.read(session, id);
  expect(answered).toBe(false);
  await change();
  const { answer, tookMs } = await timed(reading);
  expect(tookMs).toBeLessThan(soonMs);
  return answer;
}

const nine = { seq: 2, stepId: 'score', answer: { value: 9 } };

describe('a waiting reader', () => {
  it('gets newer entries at once', async () => {
    const { id } = await workspace.offer(bot);
    const session = workspace.session();
    await workspace.begin(session, id);
    const { answer, tookMs } = await timed(workspace.read(session, id, { after: 1, waitSeconds: 25 }));
    expect(answer.entries.map(({ seq }) => seq)).toEqual([2]);
    expect(tookMs).toBeLessThan(soonMs);
  });

  it('gets the end of the conversation at once', async () => {
    const session = workspace.session();
    for (const status of ['Completed', 'Expired'] as const) {
      const { id } = await workspace.offer(bot, { status });
      const { answer, tookMs } = await timed(workspace.read(session, id, { waitSeconds: 25 }));
      expect(answer.status).toBe(status);
      expect(tookMs).toBeLessThan(soonMs);
    }
  });

  it('gets the unchanged conversation at the end of its wait', async () => {
    const { id } = await workspace.offer(bot);
    const session = workspace.session();
    await workspace.begin(session, id);
    const { answer, tookMs } = await timed(workspace.read(session, id, { after: 2, waitSeconds: 1 }));
    expect(answer).toMatchObject({ status: 'InProgress', seq: 2, entries: [] });
    expect(tookMs).toBeGreaterThan(950);
    expect(tookMs).toBeLessThan(soonMs);
  });

  it.each(['the same replica', 'another replica'])('gets a start and an answer through %s', async (which) => {
    const writer = which === 'the same replica' ? workspace : elsewhere;
    const { id } = await workspace.offer(bot);
    const session = workspace.session();
    const begun = await heard(session, id, 0, () => writer.begin(session, id));
    expect(begun).toMatchObject({ status: 'InProgress', seq: 2 });
    const answered = await heard(session, id, 2, () => writer.post(session, id, nine));
    expect(answered).toMatchObject({ seq: 4 });
    expect(answered.entries.map(({ seq }) => seq)).toEqual([3, 4]);
  });

  it('gets the client’s close of the conversation', async () => {
    const { id } = await workspace.offer(bot);
    const session = workspace.session();
    await workspace.begin(session, id);
    const closed = await heard(session, id, 2, () => elsewhere.update(id, { status: 'Completed' }));
    expect(closed).toMatchObject({ status: 'Completed', entries: [], inputJson: null });
  });

  it('gets the expiry, without another call', async () => {
    const { id } = await workspace.offer(bot, { expirySeconds: 600 });
    const session = workspace.session();
    await workspace.begin(session, id);
    // Only now: a busy machine may take longer until it has begun.
    await workspace.update(id, { expirySeconds: 1.5 });
    const { answer, tookMs } = await timed(workspace.read(session, id, { after: 2, waitSeconds: 25 }));
    expect(answer.status).toBe('Expired');
    expect(tookMs).toBeLessThan(soonMs);
  });

  it('gets the expiry at a new, earlier time', async () => {
    const { id } = await workspace.offer(bot, { expirySeconds: 600 });
    const session = workspace.session();
    await workspace.begin(session, id);
    const sooner = await heard(session, id, 2, () => workspace.update(id, { expirySeconds: 60 }));
    expect(sooner).toMatchObject({ status: 'InProgress', entries: [], expiresAt: expect.any(Date) });
  });

  it('gets not found for an interaction that becomes a draft', async () => {
    const { id } = await workspace.offer(bot);
    const waiting = refusal(workspace.read(workspace.session(), id, { waitSeconds: 25 }));
    await workspace.update(id, { status: 'Draft' });
    expect(await waiting).toMatchObject({ code: 'not_found' });
  });

  it('may disconnect', async () => {
    const { id } = await workspace.offer(bot);
    const session = workspace.session();
    const tab = new AbortController();
    const waiting = refusal(workspace.read(session, id, { waitSeconds: 25, signal: tab.signal }));
    await workspace.read(session, id);
    tab.abort();
    await waiting;
    expect((await workspace.begin(session, id)).seq).toBe(2);
  });

  it('is one of many: 150 conversations wait and each receives its own answer', async () => {
    const session = workspace.session();
    const ids: string[] = [];
    for (let batch = 0; batch < 6; batch += 1) {
      const made = await Promise.all(Array.from({ length: 25 }, () => workspace.offer(bot)));
      ids.push(...made.map(({ id }) => id));
    }
    const waiting = ids.map((id) => workspace.read(session, id, { waitSeconds: 25 }));
    for (let at = 0; at < ids.length; at += 25) {
      await Promise.all(ids.slice(at, at + 25).map((id) => elsewhere.begin(session, id)));
    }
    const { answer, tookMs } = await timed(Promise.all(waiting));
    expect(answer).toHaveLength(150);
    expect(answer.every(({ seq }) => seq === 2)).toBe(true);
    expect(tookMs).toBeLessThan(soonMs);
  });

  it('is answered when the process stops, without a delay', async () => {
    const { id } = await workspace.offer(bot);
    const session = workspace.session();
    const replica = await service.startReplica();
    const through = workspaceWithConversations({ ...service, ...replica }, workspace.workspaceId);
    const waiting = through.read(session, id, { waitSeconds: 25 });
    await through.read(session, id);
    await through.read(session, id);
    const { tookMs } = await timed(replica[Symbol.asyncDispose]());
    expect(await waiting).toMatchObject({ status: 'Pending', seq: 0 });
    expect(tookMs).toBeLessThan(soonMs);
  });
});
