import { setTimeout } from 'node:timers/promises';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { known } from '../fakes/services.ts';
import { type Answer, startSurface } from '../fakes/surface.ts';

const workspace = `/v1/workspaces/${known.workspaceId}`;

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
  const slowMs = Math.max(200, 4 * Math.max(...(await readCalmly())));

  services.before.set('getInteraction', async () => setTimeout(slowMs));
  const refused = await eventually(async () => {
    const found = (await readMany()).find(({ status }) => status === 503);
    expect(found).toBeDefined();
    return found;
  });
  expect(refused?.envelope()).toMatchObject({ code: 503, type: 'overloaded', data: null });
  expect(refused?.headers['retry-after']).toBe('1');
  // Pages that anybody can open are calls, too.
  services.before.set('beginSignIn', async () => setTimeout(slowMs));
  const openPage = () =>
    fetch(`${surface.url}/console/sign-in`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  const pages = await Promise.all(Array.from({ length: 400 }, openPage));
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([303, 503]));
  await eventually(async () => {
    expect((await readMany()).map(({ status }) => status)).toContain(503);
  });
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
