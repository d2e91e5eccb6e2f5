import { createPublicClient, ParleyError } from '@parley/client/public';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startConversationServer, type ConversationServer } from '../../tests/conversation-server.ts';
import { until } from '../../tests/until.ts';
import { isRetryable, NobodyError } from './failure.ts';
import { customerOf, customerSession, type GetCustomerToken, linkSession, type Session } from './session.ts';

const tokenOf = (sub: string): string =>
  `e30.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.sig`;

const begun = ({ requests }: ConversationServer): number =>
  requests.filter(({ path }) => path.endsWith('sessions')).length;

function setUp(server: ConversationServer, getCustomerToken: GetCustomerToken, firstToken?: string) {
  const life = new AbortController();
  const others: (string | undefined)[] = [];
  const session = customerSession({
    api: createPublicClient({ baseUrl: server.baseUrl, retries: 0 }),
    workspaceId: server.workspaceId,
    getCustomerToken,
    firstToken,
    onOtherCustomer: (token) => others.push(token),
    onToken: () => {},
    signal: life.signal,
  });
  return { life, others, ask: () => pending(session, life.signal) };
}

const pending = (session: Session, signal: AbortSignal) =>
  session.call(({ client }) => client.getPending({}, { signal }), signal);

test('many calls share one session, begun with one token', async () => {
  await using server = await startConversationServer();
  const getToken = vi.fn(async () => tokenOf('ada'));
  const { ask } = setUp(server, getToken);
  await Promise.all([ask(), ask(), ask()]);
  await ask();
  expect(begun(server)).toBe(1);
  expect(getToken).toHaveBeenCalledTimes(1);
});

test('a known token is used first', async () => {
  await using server = await startConversationServer();
  const { ask } = setUp(server, () => expect.fail('asked again'), tokenOf('ada'));
  await ask();
  expect(server.requests[0]?.body).toEqual({ customerToken: tokenOf('ada') });
});

test('a token may be the JSON of the page’s endpoint; without a token in it nobody is logged in', async () => {
  await using server = await startConversationServer();
  const { ask } = setUp(server, () => JSON.stringify({ customerToken: tokenOf('ada'), expiresAt: null }));
  await ask();
  expect(server.requests[0]?.body).toEqual({ customerToken: tokenOf('ada') });
  await expect(setUp(server, () => '{}').ask()).rejects.toThrow(NobodyError);
});

test('a rejected token is requested once more; after a second rejection, calls fail for minutes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startConversationServer();
  const restore = server.fault(({ path }) =>
    path.endsWith('/sessions') ? { status: 401, type: 'invalid-customer-token' } : undefined,
  );
  const getToken = vi.fn(() => tokenOf('ada'));
  const { ask } = setUp(server, getToken);
  await expect(ask()).rejects.toMatchObject({ type: 'invalid-customer-token' });
  expect(getToken).toHaveBeenCalledTimes(2);
  expect(begun(server)).toBe(2);

  // One minute, and two after the next rejection.
  for (const [seconds, calls] of [
    [59, 2],
    [1, 4],
    [119, 4],
    [1, 6],
  ] as const) {
    vi.advanceTimersByTime(seconds * 1_000);
    await expect(ask()).rejects.toMatchObject({ type: 'invalid-customer-token' });
    expect([getToken.mock.calls.length, begun(server)]).toEqual([calls, calls]);
  }
  restore();
  vi.advanceTimersByTime(240_000);
  await ask();
  expect(getToken).toHaveBeenCalledTimes(7);
});

test('an expired session is replaced, once for a call', async () => {
  await using server = await startConversationServer();
  const { ask } = setUp(server, () => tokenOf('ada'));
  await ask();
  server.endSessions();
  await Promise.all([ask(), ask()]);
  expect(begun(server)).toBe(2);
  server.fault(({ path }) => (path.endsWith('/pending') ? { status: 401 } : undefined));
  await expect(ask()).rejects.toBeInstanceOf(ParleyError);
  expect(begun(server)).toBe(3);
});

test('a session is renewed before it ends', async () => {
  await using server = await startConversationServer();
  server.setExpiresIn(1);
  const { ask } = setUp(server, () => tokenOf('ada'));
  await until(async () => {
    await ask();
    expect(begun(server)).toBe(2);
  });
  expect(server.requests.every(({ bearer, path }) => path.endsWith('/sessions') || bearer)).toBe(true);
});

test.each([
  ['bob', tokenOf('bob')],
  ['nobody', null],
])('when the page changes to %s, the previous customer’s calls end', async (_name, other) => {
  await using server = await startConversationServer();
  let token: string | null = tokenOf('ada');
  const { ask, others } = setUp(server, () => token);
  await ask();
  token = other;
  server.endSessions();
  await expect(ask()).rejects.toBeInstanceOf(NobodyError);
  expect(others).toEqual([other ?? undefined]);
  const before = server.requests.length;
  token = tokenOf('ada');
  await expect(ask()).rejects.toBeInstanceOf(NobodyError);
  expect(server.requests).toHaveLength(before);
  expect(others).toHaveLength(1);
});

test('no call is made while nobody is logged in', async () => {
  await using server = await startConversationServer();
  let token: string | undefined;
  const { ask } = setUp(server, () => token);
  await expect(ask()).rejects.toBeInstanceOf(NobodyError);
  expect(server.requests).toEqual([]);
  token = tokenOf('ada');
  expect(await ask()).toBeNull();
});

test('a call ends with its signal although the page’s token call never returns', async () => {
  await using server = await startConversationServer();
  const { ask, life } = setUp(server, () => new Promise(() => {}));
  const asking = ask();
  life.abort();
  await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  await expect(ask()).rejects.toMatchObject({ name: 'AbortError' });
});

test('a token call without an answer times out, and the next call asks again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startConversationServer();
  const getToken = vi.fn<GetCustomerToken>(() => new Promise(() => {}));
  const { ask } = setUp(server, getToken);
  const asking = Promise.allSettled([ask(), ask()]);
  await vi.advanceTimersByTimeAsync(14_999);
  getToken.mockReturnValue(tokenOf('ada'));
  await vi.advanceTimersByTimeAsync(1);
  for (const one of await asking) {
    const reason: unknown = one.status === 'rejected' ? one.reason : undefined;
    expect(reason).toMatchObject({ message: 'getCustomerToken has not answered' });
    expect(isRetryable(reason)).toBe(true);
  }
  expect(getToken).toHaveBeenCalledTimes(1);
  expect(await ask()).toBeNull();
  expect(getToken).toHaveBeenCalledTimes(2);
});

test('a link opens its one interaction', async () => {
  await using server = await startConversationServer();
  const { signal } = new AbortController();
  const session = linkSession(createPublicClient({ baseUrl: server.baseUrl }), 'good', signal);
  const link = await session.call(async (opened) => opened.link, signal);
  expect(link).toEqual({ interactionId: 'i', botName: 'Bot' });
});

const tokenWith = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;

test.each(['ada', 'Zoë ÿ 🦉 ~~??>>', '../x'])('the customer of a token is its subject: %s', (sub) => {
  expect(customerOf(tokenWith({ sub }))).toBe(sub);
});

test.each(['', 'a', 'a.b.c', 'e30.e30.', tokenWith({ sub: 7 }), tokenWith([])])(
  'an invalid token is for nobody: %s',
  (token) => {
    expect(customerOf(token)).toBeUndefined();
  },
);
