import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Answer, basicOf, startSurface } from '../fakes/surface.ts';

const workspace = `/v1/workspaces/${known.workspaceId}`;

/** Makes more calls than can be answered until some are refused. Returns these. */
async function flood<Made extends { status: number }>(make: () => Promise<Made>): Promise<Made[]> {
  const calls: Promise<void>[] = [];
  const refused: Made[] = [];
  const makeOne = async (): Promise<void> => {
    const answer = await make();
    if (answer.status === 503) refused.push(answer);
  };
  while (refused.length === 0) {
    for (let number = 0; number < 10; number += 1) calls.push(makeOne());
    await setTimeout(50);
  }
  await Promise.all(calls);
  return refused;
}

test('when calls are slow for long, the API is refused with 503 at once, customers are not, and it ends', async () => {
  await using surface = await startSurface();
  const { services, call } = surface;
  const read = (): Promise<Answer> => call('GET', `${workspace}/interactions/${known.interactionId}`);
  const readMany = () => Promise.all(Array.from({ length: 300 }, read));
  /** Makes calls that are quick, one after another, for twice the time in which the limit is adapted. */
  const readCalmly = async (): Promise<number[]> => {
    const tookMs: number[] = [];
    for (const endMs = performance.now() + 500; performance.now() < endMs; ) {
      const startedAtMs = performance.now();
      expect((await read()).status).toBe(200);
      tookMs.push(performance.now() - startedAtMs);
    }
    return tookMs;
  };
  // Slow compared with what is usual for this machine.
  const calmMs = await readCalmly();
  const slowMs = Math.max(1_000, (4 * calmMs.reduce((sum, ms) => sum + ms, 0)) / calmMs.length);

  services.before.set('getInteraction', async () => setTimeout(slowMs));
  const [refused] = await flood(read);
  expect(refused?.envelope()).toMatchObject({ code: 503, type: 'overloaded', data: null });
  expect(refused?.headers['retry-after']).toBe('1');
  // Nobody asks who makes a refused call.
  const refusedStrangers = await flood(async () => {
    const unknownKey = `prl_key_${randomBytes(11).toString('hex')}`;
    const credentials = basicOf(`${unknownKey}:${known.apiSecret}`);
    const [, answer] = await Promise.all([read(), call('GET', `${workspace}/branding`, { credentials })]);
    return { ...answer, unknownKey };
  });
  const checked = new Set(services.seen.map(({ request }) => (request as { apiKey?: string }).apiKey));
  expect(refusedStrangers.filter(({ unknownKey }) => checked.has(unknownKey))).toEqual([]);
  // Pages that anybody can open are calls, too, and so are their posts.
  const openPage = () =>
    fetch(`${surface.url}/console/sign-in`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  // What is usual for them, before they are slow.
  for (let number = 0; number < 100; number += 1) await openPage();
  services.before.set('beginSignIn', async () => setTimeout(slowMs));
  expect((await flood(openPage)).map(({ headers }) => headers.get('retry-after'))).toContain('1');
  const press = async () => {
    const path = `/interactions/${known.linkToken}/answer`;
    const { status, text } = await call('POST', path, { credentials: null });
    // A call that takes too long is 503, too.
    return { status: text.includes('"overloaded"') ? status : 0 };
  };
  for (let number = 0; number < 100; number += 1) await press();
  services.before.set('openLink', async () => setTimeout(slowMs));
  await flood(press);
  services.before.delete('openLink');
  // Nor does a call that waits for an erasure take the place of another one.
  const erased = Promise.withResolvers<void>();
  services.before.set('anonymiseCustomer', () => erased.promise);
  services.before.delete('getInteraction');
  const anonymise = () =>
    call('POST', `${workspace}/customers/${encodeURIComponent(known.customerId)}/anonymise`);
  const erasures = Array.from({ length: 100 }, anonymise);
  expect((await read()).status).toBe(200);
  erased.resolve();
  await Promise.all(erasures);
  services.before.set('getInteraction', async () => setTimeout(slowMs));
  const waiting = readMany();
  const opened = await call('POST', `/public${workspace}/sessions`, {
    credentials: null,
    body: { customerToken: known.customerToken },
  });
  expect(opened.status).toBe(200);
  expect((await call('GET', '/readyz', { credentials: null })).status).toBe(200);
  await waiting;

  services.before.clear();
  await eventually(async () => {
    // A burst alone may be slow for this machine.
    await readCalmly();
    const answers = await readMany();
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
