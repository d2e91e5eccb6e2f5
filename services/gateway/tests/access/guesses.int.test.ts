import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Answer, basicOf, startSurface, type Surface } from '../fakes/surface.ts';

const limits = { authFailuresPerMinute: 3 };

async function statusesOf(answers: Promise<Answer>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status);
}

/** Delays a method of the services until it is released, and counts its calls. */
function hold(surface: Surface, method: string) {
  const gate = Promise.withResolvers<void>();
  const calls = { running: 0, most: 0, all: 0, release: gate.resolve };
  surface.services.before.set(method, async () => {
    calls.all += 1;
    calls.running += 1;
    calls.most = Math.max(calls.most, calls.running);
    await gate.promise;
    calls.running -= 1;
  });
  return calls;
}

test('beyond the limit of failures keys are checked two at a time; known ones do not wait, new ones are accepted', async () => {
  await using surface = await startSurface({ limits });
  const call = (apiKey: string, apiSecret: string) =>
    surface.call('GET', '/v1/workspaces', { credentials: basicOf(`${apiKey}:${apiSecret}`) });
  const guess = (n: number) => call(`prl_key_${String(n).padStart(22, '0')}`, known.wrongApiSecret);
  expect((await call(known.apiKey, known.apiSecret)).status).toBe(200);
  expect(await statusesOf([1, 2, 3].map(guess))).toEqual([401, 401, 401]);

  const calls = hold(surface, 'authenticate');
  const guesses = Array.from({ length: 20 }, (_, n) => guess(100 + n));
  await eventually(() => expect(calls.running).toBe(2));
  const validBefore = call(known.apiKey, known.apiSecret);
  await eventually(() => expect(calls.running).toBe(3));
  const validNow = call(known.otherApiKey, known.apiSecret);
  calls.release();
  expect(await statusesOf([validBefore, validNow])).toEqual([200, 200]);
  expect(new Set(await statusesOf(guesses))).toEqual(new Set([429]));
  expect(calls).toMatchObject({ most: 3, all: 22 });
});

test('beyond the limit of failures tokens are checked two at a time, and a valid one is accepted', async () => {
  await using surface = await startSurface({ limits });
  const begin = (customerToken: string) =>
    surface.call('POST', `/public/v1/workspaces/${known.workspaceId}/sessions`, {
      credentials: null,
      body: { customerToken },
    });
  expect(await statusesOf(['a', 'b', 'c'].map(begin))).toEqual([401, 401, 401]);
  const calls = hold(surface, 'verifyCustomerToken');
  const guesses = Array.from({ length: 20 }, (_, n) => begin(`wrong-${n}`));
  await eventually(() => expect(calls.running).toBe(2));
  const valid = begin(known.customerToken);
  calls.release();
  expect((await valid).status).toBe(200);
  expect(new Set(await statusesOf(guesses))).toEqual(new Set([429]));
  expect(calls.most).toBe(2);
});
