import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
/** Requests that wait at the service. Each continues when its promise resolves. */
let waiting: { signal: AbortSignal; goOn: () => void }[];

const publicPath = `/public/v1/workspaces/${known.workspaceId}`;
const pollOf = (id = known.interactionId) => `${publicPath}/conversations/${id}?after=2&wait=25`;

beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());
beforeEach(() => {
  waiting = [];
  surface.services.before.set('getConversation', async (signal) => {
    const { request } = surface.services.seen.at(-1) ?? {};
    if (Object(request).waitSeconds === 0) return;
    await new Promise<void>((resolve) => {
      waiting.push({ signal, goOn: resolve });
      signal.addEventListener('abort', () => resolve());
    });
  });
});

async function newSession(): Promise<string> {
  const body = { customerToken: known.customerToken };
  const answer = await surface.call('POST', `${publicPath}/sessions`, { body, credentials: null });
  return `Bearer ${Object(answer.envelope().data).sessionToken}`;
}

async function untilWaiting(count: number): Promise<void> {
  await expect.poll(() => waiting.length, { interval: 5, timeout: 60_000 }).toBe(count);
}

test('a newer poll of a session ends the older one, which returns the unchanged conversation', async () => {
  const credentials = await newSession();
  const older = surface.call('GET', pollOf(), { credentials });
  await untilWaiting(1);
  const newer = surface.call('GET', pollOf(), { credentials });
  const { status, envelope } = await older;
  expect([status, Object(envelope().data).seq]).toEqual([200, 2]);
  await untilWaiting(2);
  expect(waiting.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  waiting[1]?.goOn();
  expect((await newer).status).toBe(200);
});

test('polls of other sessions, of other conversations and reads that do not wait end nothing', async () => {
  const [one, two] = [await newSession(), await newSession()];
  const polls = [
    surface.call('GET', pollOf(), { credentials: one }),
    surface.call('GET', pollOf(), { credentials: two }),
    surface.call('GET', pollOf(known.botId), { credentials: one }),
  ];
  await untilWaiting(3);
  const plain = `${publicPath}/conversations/${known.interactionId}?after=2`;
  expect((await surface.call('GET', plain, { credentials: one })).status).toBe(200);
  expect(waiting.some(({ signal }) => signal.aborted)).toBe(false);
  for (const { goOn } of waiting) goOn();
  expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('repeated reloads leave one open poll', async () => {
  const credentials = await newSession();
  const polls = [];
  for (let count = 1; count <= 20; count += 1) {
    polls.push(surface.call('GET', pollOf(), { credentials }));
    await untilWaiting(count);
  }
  await Promise.all(polls.slice(0, -1));
  expect(waiting.filter(({ signal }) => !signal.aborted)).toHaveLength(1);
  waiting.at(-1)?.goOn();
  expect((await Promise.all(polls)).every(({ status }) => status === 200)).toBe(true);
});
