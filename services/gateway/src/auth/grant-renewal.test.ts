import { AppError, invalidCredentials, missingScope, notFound, unavailable } from '@parley/runtime/errors';
import { beforeEach, describe, expect, test } from 'vitest';
import { notForCaller } from '../http/server/route.ts';
import { createGrantRenewal, renewedAfterMs } from './grant-renewal.ts';

let now = 0;
let calls = 0;
beforeEach(() => {
  [now, calls] = [1_000, 0];
});

/** A renewal that has got its grant at once, and is asked when it is due. */
function due(answer: () => void = () => {}): () => Promise<void> {
  const renew = createGrantRenewal(
    async () => {
      calls += 1;
      answer();
    },
    () => now,
  );
  now += renewedAfterMs;
  return renew;
}

test('renews once after half of the time of a grant', async () => {
  const renew = due();
  now -= 1;
  await renew();
  expect(calls).toBe(0);
  now += 1;
  await renew();
  await renew();
  expect(calls).toBe(1);
  now += renewedAfterMs;
  await renew();
  expect(calls).toBe(2);
});

describe('an answer in progress', () => {
  const operatorOnly = new AppError('permission_denied', 'operator-only', 'Only an operator');
  test.each([
    ['credential', invalidCredentials()],
    ['scope', missingScope([{ pointer: '/headers/cookie', detail: 'interactions:read' }])],
    ['right of an operator', operatorOnly],
    ['access by the portal', notForCaller('The session of a portal link cannot make this call')],
    ['workspace or webhook', notFound()],
  ])('ends when the caller has lost its %s', async (_, error) => {
    const renew = due(() => {
      throw error;
    });
    await expect(renew()).rejects.toBe(error);
  });

  test('goes on with the last grant while identity does not answer, and asks again', async () => {
    const renew = due(() => {
      throw unavailable(new Error('no answer'));
    });
    await renew();
    await renew();
    expect(calls).toBe(2);
  });
});
