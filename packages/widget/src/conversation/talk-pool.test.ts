import { once } from 'node:events';
import { createPublicClient } from '@parley/client/public';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  interactionId,
  startConversationServer,
  type ConversationServer,
} from '../../tests/conversation-server.ts';
import { type TestPage, testPage } from '../../tests/test-page.ts';
import { until } from '../../tests/until.ts';
import { type TalkPool, createTalkPool } from './talk-pool.ts';
import type { Talk } from '../model.ts';
import { linkSession } from '../customer/session.ts';
import { createTalk } from './talk.ts';

let server: ConversationServer;
let page: TestPage;
let talks: TalkPool;
let life: AbortController;
beforeEach(async () => {
  server = await startConversationServer();
  page = testPage();
  talks = createTalkPool();
  life = new AbortController();
});
afterEach(async () => {
  life.abort();
  await server[Symbol.asyncDispose]();
});

/** The panel changes to the interaction and shows its conversation. */
function turnTo(id = interactionId): Talk {
  return talks.turnTo(id, (changed) => {
    const { signal } = life;
    const session = linkSession(createPublicClient({ baseUrl: server.baseUrl, retries: 0 }), 'good', signal);
    return createTalk({ session, signal, interactionId: id, resumes: true, page, onChange: changed });
  });
}

/** The number of conversations that listen to the page: the ones that were not disposed of. */
const aliveCount = (): number => page.listening() / listenersOfOne;
const listenersOfOne = 4;

/** The conversation of the panel, with an answer that cannot arrive until the returned function is called. */
async function unsent() {
  server.start();
  const talk = turnTo();
  talk.subscribe(() => {});
  await until(() => expect(talk.state.stage).toBe('talking'));
  const restore = server.fault(({ path }) => (path.endsWith('/messages') ? 'cut' : undefined));
  talk.send({ text: '9' }, '9');
  return { talk, restore };
}

describe('the conversations of a panel', () => {
  it('are one for each interaction, while the panel shows it', () => {
    const talk = turnTo();
    expect(turnTo()).toBe(talk);
    expect(talks.state()).toBe(talk.state);
    turnTo('another');
    expect(aliveCount()).toBe(1);
    expect(turnTo()).not.toBe(talk);
    talks.release();
    expect([aliveCount(), talks.state()]).toEqual([0, undefined]);
  });

  it('stay until the customer’s pending answer has arrived, and then notify other tabs', async () => {
    const { talk, restore } = await unsent();
    const otherTab = new BroadcastChannel(`parley:${interactionId}`);
    const notified = once(otherTab, 'message');
    turnTo('another');
    expect(aliveCount()).toBe(2);
    restore();
    talk.retry();
    await until(() => expect(aliveCount()).toBe(1));
    expect(server.taken.size).toBe(1);
    expect(talk.state.outgoing).toBeUndefined();
    await notified;
    otherTab.close();
  });

  it('are reused when the panel returns before that', async () => {
    const { talk, restore } = await unsent();
    talks.release();
    expect(talks.state()).toBeUndefined();
    expect(turnTo()).toBe(talk);
    restore();
    talk.retry();
    await until(() => expect(talk.state.outgoing).toBeUndefined());
    expect([aliveCount(), talks.state()]).toEqual([1, talk.state]);
  });
});
