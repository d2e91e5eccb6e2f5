import { createPublicClient } from '@parley/client/public';
import { expect, onTestFinished, test, vi } from 'vitest';
import { interactionId, startConversationServer } from '../../tests/conversation-server.ts';
import { testPage } from '../../tests/test-page.ts';
import { until } from '../../tests/until.ts';
import { customerSession, type GetCustomerToken } from '../customer/session.ts';
import { createTalk } from './talk.ts';

const token = `e30.${Buffer.from(JSON.stringify({ sub: 'ada' })).toString('base64url')}.sig`;

test('an answer waits for the page’s token, and is sent once the network and the token are there', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startConversationServer();
  server.start();
  const getCustomerToken = vi.fn<GetCustomerToken>(() => token);
  const life = new AbortController();
  const page = testPage();
  const errors: unknown[] = [];
  const talk = createTalk({
    session: customerSession({
      api: createPublicClient({ baseUrl: server.baseUrl, retries: 0 }),
      workspaceId: server.workspaceId,
      getCustomerToken,
      onOtherCustomer: () => expect.fail('the customer is the same'),
      onToken: () => {},
      signal: life.signal,
    }),
    interactionId,
    resumes: true,
    page,
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => talk.dispose());
  talk.subscribe(() => {});
  await until(() => expect(talk.state.stage).toBe('talking'));

  server.endSessions();
  getCustomerToken.mockImplementation(() => new Promise(() => {}));
  talk.send({ text: '9' }, '9');
  await until(() => expect(getCustomerToken).toHaveBeenCalledTimes(2));
  expect(talk.state.outgoing?.state).toBe('sending');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(talk.state).toMatchObject({ outgoing: { state: 'waiting', words: '9' }, isOffline: false });
  // Errors of the answer and, if a poll was due, of the poll.
  expect(errors[0]).toMatchObject({ message: 'getCustomerToken has not answered' });

  getCustomerToken.mockImplementation(() => token);
  page.fire('online');
  await until(() => expect(talk.state).toMatchObject({ outgoing: undefined, snapshot: { seq: 4 } }));
  expect(server.taken.size).toBe(1);
});
