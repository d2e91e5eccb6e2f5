import { expect, test } from 'vitest';
import { known } from './behind.ts';
import { basicOf, startSurface } from './surface.ts';

test('a key may burst, is then refused with the IETF fields, and every answer tells where it stands', async () => {
  await using surface = await startSurface({ rateLimit: { perSecond: 2, burst: 5 } });
  const answers = await Promise.all(Array.from({ length: 20 }, () => surface.call('GET', '/v1/workspaces')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of answers) {
    expect(answer.headers['ratelimit-policy']).toBe('"key";q=2;w=1');
    expect(answer.headers['ratelimit']).toMatch(/^"key";r=\d+;t=[01]$/);
  }
  for (const answer of refused) {
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.envelope()).toMatchObject({ code: 429, type: 'rate-limited', data: null });
  }
});

test('too many failed authentications are refused, but never valid credentials from the same address', async () => {
  await using surface = await startSurface({ authFailuresPerMinute: 3 });
  const fail = () => surface.call('GET', '/v1/workspaces', { credentials: basicOf('someone:wrong') });
  const failed = [await fail(), await fail(), await fail()];
  expect(failed.map(({ status }) => status)).toEqual([401, 401, 401]);
  const refused = await fail();
  expect(refused.envelope()).toMatchObject({ code: 429, type: 'too-many-failures' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await surface.call('GET', '/v1/workspaces')).status).toBe(200);
});

test("failures with a key's id do not refuse its owner", async () => {
  await using surface = await startSurface({ authFailuresPerMinute: 1 });
  for (let tries = 0; tries < 4; tries += 1) {
    await surface.call('GET', '/v1/workspaces', { credentials: basicOf(`${known.apiKey}:wrong`) });
  }
  expect((await surface.call('GET', '/v1/workspaces')).status).toBe(200);
});
