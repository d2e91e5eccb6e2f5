import { createPublicClient, type Message } from '@parley/client/public';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  interactionId,
  startConversationServer,
  type Request,
  type ConversationServer,
} from '../../tests/conversation-server.ts';
import { type TestPage, testPage } from '../../tests/test-page.ts';
import { until, untilAtOnce } from '../../tests/until.ts';
import type { Talk, TalkState } from '../model.ts';
import { NobodyError } from '../customer/failure.ts';
import { linkSession, type Session } from '../customer/session.ts';
import { createTalk } from './talk.ts';

let server: ConversationServer;
let talks: Talk[];
beforeEach(async () => {
  server = await startConversationServer();
  talks = [];
});
afterEach(async () => {
  for (const talk of talks) talk.dispose();
  await server[Symbol.asyncDispose]();
});

interface Screen {
  talk: Talk;
  page: TestPage;
  errors: unknown[];
  leave: () => void;
}

/** A screen that shows the conversation of a link. */
function look({
  token = 'good',
  resumes = true,
  signal,
  session,
}: {
  token?: string;
  resumes?: boolean;
  signal?: AbortSignal;
  session?: Session;
} = {}): Screen {
  const page = testPage();
  const errors: unknown[] = [];
  const api = createPublicClient({ baseUrl: server.baseUrl, retries: 0 });
  const talk = createTalk({
    session: session ?? linkSession(api, token, new AbortController().signal),
    signal,
    resumes,
    page,
    onError: (error) => errors.push(error),
  });
  talks.push(talk);
  return { talk, page, errors, leave: talk.subscribe(() => {}) };
}

/** Waits for a state of the conversation. */
const reach = (talk: Talk, state: object): Promise<TalkState> =>
  until(() => {
    expect(talk.state).toMatchObject(state);
    return talk.state;
  });

const lastSaid = ({ state }: Talk): string | undefined => state.snapshot?.entries.at(-1)?.body;
const isPost = ({ method, path }: Request): boolean => method === 'POST' && path.endsWith('/messages');
const posts = (): Message[] => server.requests.filter(isPost).map(({ body }) => body as Message);

async function talking(screen: Screen = look()): Promise<Screen> {
  server.start();
  await reach(screen.talk, { stage: 'talking' });
  return screen;
}

describe('a conversation', () => {
  it('runs from its start to its end, and shows each entry once', async () => {
    const { talk } = look();
    await reach(talk, { stage: 'ready', botName: 'Bot, renamed' });
    talk.start();
    talk.start();
    await reach(talk, { stage: 'talking' });
    talk.send({ text: '9' }, 'Nine');
    expect(talk.state.outgoing).toEqual({
      stepId: 'score',
      answer: { text: '9' },
      words: 'Nine',
      state: 'sending',
    });
    await reach(talk, { outgoing: undefined, snapshot: { input: { stepId: 'why' } } });
    talk.send({ text: 'because' }, 'Because');
    const { snapshot } = await reach(talk, { stage: 'completed', outgoing: undefined });
    expect(snapshot?.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.requests.filter(({ path }) => path.endsWith('/start'))).toHaveLength(1);
  });

  it('is not started by a subscription', async () => {
    const { talk, page } = look();
    await reach(talk, { stage: 'ready' });
    page.hide();
    await until(() => expect(server.openCount()).toBe(0));
    page.show();
    await until(() => expect(server.polls()).toBe(1));
    expect(server.requests.some(({ path }) => path.endsWith('/start'))).toBe(false);
  });

  it('that has begun waits for the customer on the landing page, and resumes without a call', async () => {
    server.start();
    const { talk } = look({ resumes: false });
    await reach(talk, { stage: 'resumable' });
    talk.send({ text: 'x' }, 'x');
    expect(talk.state.outgoing).toBeUndefined();
    talk.start();
    expect(talk.state.stage).toBe('talking');
    expect(server.requests.some(({ path }) => path.endsWith('/start'))).toBe(false);
  });

  it('shows soon what was said in another browser, and that it has ended', async () => {
    const { talk } = await talking();
    await until(() => expect(server.polls()).toBe(1));
    server.answerElsewhere('5');
    await until(() => expect(lastSaid(talk)).toBe('why?'));
    await until(() => expect(server.polls()).toBe(1));
    server.end('Expired');
    await reach(talk, { stage: 'expired' });
    expect(server.polls()).toBe(0);
  });

  it('that is unknown is unavailable, and is read again with the next subscription', async () => {
    const screen = look({ token: 'bad' });
    await reach(screen.talk, { stage: 'unavailable', isOffline: false });
    const { talk, page } = look();
    const restore = server.fault(({ path }) =>
      path.includes('/conversations/') ? { status: 404, type: 'not-found' } : undefined,
    );
    await reach(talk, { stage: 'unavailable' });
    restore();
    page.show();
    await reach(talk, { stage: 'ready' });
  });

  it('continues under a new session when its session has ended', async () => {
    const { talk } = await talking();
    server.endSessions();
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: undefined, snapshot: { seq: 4 } });
  });
});

describe('an answer', () => {
  it('with a lost reply is sent again under its id, and has its effect once', async () => {
    const { talk } = await talking();
    const restore = server.fault((request) => (isPost(request) ? 'lose' : undefined));
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: { state: 'waiting', words: '9' }, isOffline: true });
    restore();
    talk.retry();
    await reach(talk, { outgoing: undefined, isOffline: false, snapshot: { seq: 4 } });
    expect(new Set(posts().map(({ clientMessageId }) => clientMessageId)).size).toBe(1);
    expect(server.taken.size).toBe(1);
  });

  it('with a lost reply is never shown beside the next question', async () => {
    const { talk, page } = await talking();
    await until(() => expect(server.polls()).toBe(1));
    server.silence();
    const seen = new Set<string>();
    talk.subscribe(() => {
      const { snapshot, outgoing } = talk.state;
      seen.add(`${snapshot?.input?.stepId} ${outgoing?.state}`);
    });
    const restore = server.fault((request) => (isPost(request) ? 'lose' : undefined));
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: { state: 'waiting' } });
    page.show();
    await until(() => expect(posts().length).toBeGreaterThanOrEqual(3));
    restore();
    talk.retry();
    await reach(talk, { outgoing: undefined, snapshot: { input: { stepId: 'why' } } });
    expect([...seen].filter((state) => state.startsWith('why'))).toEqual(['why undefined']);
    expect(server.taken.size).toBe(1);
  });

  it('that waits is sent as soon as a poll has reached the server, not after its pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { talk } = await talking();
    await until(() => expect(server.polls()).toBe(1));
    const restore = server.fault((request) => (isPost(request) ? 'cut' : undefined));
    talk.send({ text: '9' }, '9');
    await untilAtOnce(() => talk.state.outgoing?.state === 'waiting');
    restore();
    server.sayElsewhere('Are you there?');
    // Its pause never ends.
    await untilAtOnce(() => talk.state.outgoing?.state === 'refused');
    expect(talk.state.outgoing).toMatchObject({ refusal: 'moved-on' });
    expect(posts()).toHaveLength(2);
  });

  it('that ends the conversation counts as accepted although its reply is lost', async () => {
    const { talk } = await talking();
    server.answerElsewhere('5');
    await reach(talk, { snapshot: { input: { stepId: 'why' } } });
    const restore = server.fault((request) => (isPost(request) ? 'lose' : undefined));
    talk.send({ text: 'because' }, 'because');
    await reach(talk, { outgoing: { state: 'waiting' } });
    restore();
    talk.retry();
    await reach(talk, { stage: 'completed', outgoing: undefined });
    expect(server.taken.size).toBe(2);
  });

  it('waits while there is no network and is sent when it is back', async () => {
    const { talk, page } = await talking();
    const restore = server.fault(() => 'cut');
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: { state: 'waiting' }, isOffline: true });
    talk.send({ text: 'another' }, 'another');
    expect(talk.state.outgoing?.words).toBe('9');
    restore();
    page.fire('online');
    await reach(talk, { outgoing: undefined, isOffline: false, snapshot: { seq: 4 } });
    expect(new Set(posts().map((message) => JSON.stringify(message))).size).toBe(1);
  });

  it('waits on a page that is closed or hidden, too', async () => {
    const { talk, page, leave } = await talking();
    const restore = server.fault(() => 'cut');
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: { state: 'waiting' } });
    leave();
    page.hide();
    restore();
    await reach(talk, { outgoing: undefined, snapshot: { seq: 4 } });
  });

  it('is removed when its question was answered elsewhere', async () => {
    const { talk, leave } = await talking();
    leave();
    server.answerElsewhere('5');
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: undefined, snapshot: { seq: 4, input: { stepId: 'why' } } });
    expect(talk.state.snapshot?.entries.map(({ body }) => body)).toEqual(['Hello', 'score?', '5', 'why?']);
  });

  it('stays as rejected when the conversation has moved on and asks the same, and can be sent again', async () => {
    const { talk, leave } = await talking();
    leave();
    server.sayElsewhere('score, please?');
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: { state: 'refused', refusal: 'moved-on', words: '9' } });
    expect(lastSaid(talk)).toBe('score, please?');
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: undefined, snapshot: { seq: 5 } });
    const [first, second] = posts();
    expect(first?.clientMessageId).not.toBe(second?.clientMessageId);
  });

  it('that is invalid stays, with the reason, until the customer changes it', async () => {
    const { talk } = await talking();
    talk.send({ text: 'nonsense' }, 'nonsense');
    await reach(talk, {
      outgoing: { state: 'refused', refusal: 'invalid', reason: 'must be sensible', words: 'nonsense' },
    });
    talk.clearRefusal();
    expect(talk.state.outgoing).toBeUndefined();
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: undefined, snapshot: { seq: 4 } });
  });

  it('that is too late shows how the conversation has ended', async () => {
    const { talk } = await talking();
    await until(() => expect(server.polls()).toBe(1));
    server.silence();
    server.end('Expired');
    talk.send({ text: '9' }, '9');
    await reach(talk, { stage: 'expired', outgoing: undefined });
  });

  it('is rejected when the server cannot accept it, and that is reported', async () => {
    const { talk, errors } = await talking();
    server.fault((request) => (isPost(request) ? { status: 400, type: 'invalid-request' } : undefined));
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: { state: 'refused', refusal: 'failed' } });
    expect(errors).toMatchObject([{ status: 400 }]);
  });
});

describe('the server is protected', () => {
  it('during a Retry-After, also from a customer who tries again', async () => {
    const { talk, page } = await talking();
    let refusedAt = 0;
    const restore = server.fault((request) => {
      if (!isPost(request)) return undefined;
      refusedAt = Date.now();
      restore();
      return { status: 429, type: 'rate-limited', headers: { 'retry-after': '1' } };
    });
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: { state: 'waiting' }, isOffline: false });
    const before = server.requests.length;
    talk.retry();
    page.fire('online');
    await reach(talk, { outgoing: undefined, snapshot: { seq: 4 } });
    expect(Date.now() - refusedAt).toBeGreaterThanOrEqual(1_000);
    expect(server.requests.slice(before).filter(isPost)).toHaveLength(1);
  });

  it('by long polls, one at a time, and none from a hidden page or a closed screen', async () => {
    const { talk, page, leave } = await talking();
    await until(() => expect(server.polls()).toBe(1));
    expect(server.openCount()).toBe(1);
    page.hide();
    await until(() => expect(server.openCount()).toBe(0));
    page.show();
    await until(() => expect(server.polls()).toBe(1));
    leave();
    await until(() => expect(server.openCount()).toBe(0));
    talk.subscribe(() => {});
    await until(() => expect(server.polls()).toBe(1));
  });
});

describe('a function of the page', () => {
  it('may throw: the conversation continues, and the page’s error handler is called', async () => {
    const report = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', report);
    const { talk } = look();
    const mine = new Error('of the page');
    talk.subscribe(() => {
      throw mine;
    });
    let changeCount = 0;
    talk.subscribe(() => (changeCount += 1));
    await reach(talk, { stage: 'ready' });
    talk.start();
    await reach(talk, { stage: 'talking' });
    talk.send({ text: '9' }, '9');
    await reach(talk, { outgoing: undefined, snapshot: { input: { stepId: 'why' } } });
    expect(changeCount).toBeGreaterThan(3);
    expect(report).toHaveBeenCalledWith(mine);
    vi.unstubAllGlobals();
  });
});

describe('a conversation whose customer', () => {
  it('has logged out makes no more calls', async () => {
    const life = new AbortController();
    const { talk, page } = await talking(look({ signal: life.signal }));
    await until(() => expect(server.polls()).toBe(1));
    life.abort();
    await until(() => expect(server.openCount()).toBe(0));
    expect(page.listening()).toBe(0);
    const late = look({ signal: life.signal });
    late.talk.retry();
    expect([late.page.listening(), late.talk.state.stage]).toEqual([0, 'loading']);
    expect(talk.state.stage).toBe('talking');
  });

  it('is nobody makes one call, reports that, and retries with the next subscription', async () => {
    const nobody = vi.fn(() => Promise.reject(new NobodyError('nobody is logged in')));
    const { talk, page, errors } = look({ session: { call: nobody } });
    await reach(talk, { stage: 'unavailable' });
    expect(errors).toEqual([expect.any(NobodyError)]);
    expect(nobody).toHaveBeenCalledTimes(1);
    page.show();
    await until(() => expect(nobody).toHaveBeenCalledTimes(2));
  });
});

describe('two tabs', () => {
  it('stay in sync without news from the server', async () => {
    const { talk: one } = await talking();
    const { talk: other } = await talking();
    await until(() => expect(server.polls()).toBe(2));
    server.silence();
    one.send({ text: '9' }, '9');
    await until(() => expect(lastSaid(other)).toBe('why?'));
    expect(other.state.snapshot?.entries).toEqual(one.state.snapshot?.entries);
  });

  it('that answer concurrently: one answer counts, and both show it', async () => {
    const [{ talk: one }, { talk: other }] = [await talking(), await talking()];
    one.send({ text: '1' }, '1');
    other.send({ text: '2' }, '2');
    await Promise.all([reach(one, { outgoing: undefined }), reach(other, { outgoing: undefined })]);
    await until(() => expect(other.state.snapshot).toEqual(one.state.snapshot));
    expect(server.taken.size).toBe(1);
  });
});

describe('a conversation that is disposed of', () => {
  it('leaves no request and no listener, and does not change', async () => {
    const { talk, page } = await talking();
    await until(() => expect(server.polls()).toBe(1));
    server.fault((request) => (isPost(request) ? 'cut' : undefined));
    talk.send({ text: '9' }, '9');
    const last = await reach(talk, { outgoing: { state: 'waiting' } });
    const [session] = server.requests.flatMap(({ bearer }) => bearer ?? []);
    talk.dispose();
    talk.dispose();
    await until(() => expect(server.openCount()).toBe(0));
    expect(page.listening()).toBe(0);
    const before = server.requests.length;
    const channel = new BroadcastChannel(`parley:${interactionId}`);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other end to name
    channel.postMessage(null);
    channel.close();
    page.show();
    talk.retry();
    talk.send({ text: 'x' }, 'x');
    talk.subscribe(() => expect.fail('it has changed'));
    await talkElsewhere();
    expect(server.requests.slice(before).filter(({ bearer }) => bearer === session)).toEqual([]);
    expect(talk.state).toBe(last);
  });

  /** Waits for as long as another conversation needs. */
  async function talkElsewhere(): Promise<void> {
    const { talk } = look();
    await reach(talk, { stage: 'talking' });
  }
});
