import { setTimeout } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openLinkStarts } from '../../src/limits/metrics.ts';
import { known } from '../fakes/known.ts';
import { type Answer, basicOf, startSurface, type Surface } from '../fakes/surface.ts';

const inWorkspace = `/public/v1/workspaces/${known.workspaceId}`;
const inConversation = `${inWorkspace}/conversations/${known.interactionId}`;
const message = { clientMessageId: 'm', expectedSeq: 2, stepId: 'score', answer: { value: 9 } };

const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);

function beginSession(surface: Surface, customerToken = known.customerToken, headers = {}): Promise<Answer> {
  return surface.call('POST', `${inWorkspace}/sessions`, {
    credentials: null,
    body: { customerToken },
    headers,
  });
}

function openLink(surface: Surface, token = known.linkToken): Promise<Answer> {
  return surface.call('POST', '/public/v1/link-sessions', { credentials: null, body: { token } });
}

async function startSession(surface: Surface) {
  const { sessionToken } = (await beginSession(surface)).envelope().data as { sessionToken: string };
  return async (method: string, path: string, body?: object): Promise<Answer> =>
    surface.call(method, path, { credentials: `Bearer ${sessionToken}`, ...(body && { body }) });
}

async function inTurn(times: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < times) answers.push(await call());
  return answers;
}

/** Makes calls until one is rejected, and waits as long as its answer states. */
async function exhaust(call: () => Promise<Answer>): Promise<void> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    const refused = answers.find(({ status }) => status === 429);
    if (!refused) continue;
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(2);
    // The tests are about periods, so they take this long.
    await setTimeout(seconds * 1_000);
    return;
  }
}

/** Expects 429 with the header fields of its limit. */
function expectTooManyFailures(refused: Answer, perMinute: number): void {
  expect(refused.envelope()).toMatchObject({ code: 429, type: 'too-many-failures', data: null });
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(refused.headers['ratelimit-policy']).toBe(`"failures";q=${perMinute};w=60`);
  expect(refused.headers['ratelimit']).toBe(`"failures";r=0;t=${seconds}`);
}

test('a key may burst, is then rejected with the IETF fields, and every answer has its remaining calls', async () => {
  await using surface = await startSurface({ limits: { callsPerSecond: 2, callsBurst: 5 } });
  const list = () => surface.call('GET', '/v1/workspaces');
  // A key has its limit once identity has confirmed it, which a busy machine may delay.
  const first = await list();
  const answers = [first, ...(await Promise.all(Array.from({ length: 40 }, list)))];
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(5);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of answers) {
    expect(answer.headers['ratelimit-policy']).toBe('"key";q=5;w=3');
    expect(answer.headers['ratelimit']).toMatch(/^"key";r=[0-4];t=1$/);
  }
  for (const answer of refused) {
    expect(answer.headers['ratelimit']).toBe('"key";r=0;t=1');
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.envelope()).toMatchObject({ code: 429, type: 'rate-limited', data: null });
  }
  const credentials = basicOf(`${known.otherApiKey}:${known.apiSecret}`);
  const another = await surface.call('GET', '/v1/workspaces', { credentials });
  expect([another.status, another.headers['ratelimit']]).toEqual([200, '"key";r=4;t=1']);
});

test('a key may make as many calls as its last answer stated, and is accepted again after each Retry-After', async () => {
  await using surface = await startSurface({ limits: { callsPerSecond: 2, callsBurst: 5 } });
  const list = () => surface.call('GET', '/v1/workspaces');
  expect((await list()).headers['ratelimit']).toBe('"key";r=4;t=1');
  expect(statusesOf(await Promise.all(Array.from({ length: 4 }, list)))).toEqual([200, 200, 200, 200]);
  for (let round = 0; round < 2; round += 1) {
    await exhaust(list);
    expect((await list()).status).toBe(200);
  }
});

test('every three items of a bulk call count as a call, also those with faults and beyond what is left', async () => {
  await using surface = await startSurface({ limits: { callsPerSecond: 0.001, callsBurst: 5 } });
  const bulk = (items: number) =>
    surface.call('POST', `/v1/workspaces/${known.workspaceId}/interactions/bulk`, {
      body: {
        interactions: Array.from({ length: items }, (_, n) =>
          n % 2 ? {} : { customerId: 'c', botKey: 'b' },
        ),
      },
    });
  const leftAfter = async (items: number) =>
    /r=(\d+)/.exec(String((await bulk(items)).headers['ratelimit']))?.[1];
  expect(await leftAfter(3)).toBe('4');
  expect(await leftAfter(4)).toBe('2');
  // It is admitted as one call, and the next calls wait for the rest.
  expect((await bulk(500)).status).toBe(200);
  const refused = await bulk(1);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(160_000);
});

describe('failures', () => {
  let surface: Surface;
  beforeAll(async () => {
    const limits = { authFailuresPerMinute: 3, workspaceLookupsPerMinute: 3 };
    surface = await startSurface({ limits, trustedProxies: ['127.0.0.1'] });
  });
  afterAll(() => surface[Symbol.asyncDispose]());

  test('lookups of unknown workspaces are limited per address, and known ones still work', async () => {
    const origin = 'https://shop.example';
    const headers = { origin, 'access-control-request-method': 'POST' };
    // Not checked against the description, which has no preflights.
    const preflight = (id: string) =>
      fetch(`${surface.url}/public/v1/workspaces/${id}/sessions`, { method: 'OPTIONS', headers });
    const allowedFor = async (id: string) => (await preflight(id)).headers.get('access-control-allow-origin');
    expect(await allowedFor(known.workspaceId)).toBe(origin);
    expect((await preflight(uuidv7())).status).toBe(204);
    expect((await preflight(uuidv7())).status).toBe(204);
    const had = surface.services.seen.length;
    expect((await preflight(uuidv7())).status).toBe(429);
    const refused = await surface.call('POST', `/public/v1/workspaces/${uuidv7()}/sessions`, {
      credentials: null,
      body: { customerToken: known.customerToken },
      headers: { origin },
    });
    expect(refused.envelope()).toMatchObject({ code: 429, type: 'rate-limited' });
    expect(refused.headers['ratelimit-policy']).toBe('"workspaces";q=3;w=60');
    expect(refused.headers['ratelimit']).toBe(`"workspaces";r=0;t=${String(refused.headers['retry-after'])}`);
    expect((await preflight('nope')).status).toBe(204);
    expect(await allowedFor(known.workspaceId)).toBe(origin);
    expect(surface.services.seen.length).toBe(had);
  });

  test('too many failed authentications are rejected, but never valid credentials from the same address', async () => {
    const fail = () => surface.call('GET', '/v1/workspaces', { credentials: basicOf('someone:wrong') });
    expect(statusesOf(await inTurn(3, fail))).toEqual([401, 401, 401]);
    const refused = await fail();
    expectTooManyFailures(refused, 3);
    const hammer = Array.from({ length: 50 }, () => fail());
    const valid = Array.from({ length: 10 }, () => surface.call('GET', '/v1/workspaces'));
    expect(new Set(statusesOf(await Promise.all(valid)))).toEqual(new Set([200]));
    expect(new Set(statusesOf(await Promise.all(hammer)))).toEqual(new Set([429]));
  });

  test('failures with a key’s id are limited across addresses, and do not affect its owner', async () => {
    const credentials = basicOf(`${known.apiKey}:wrong`);
    let addresses = 0;
    const fail = () =>
      surface.call('GET', '/v1/workspaces', {
        credentials,
        headers: { 'x-forwarded-for': `192.0.2.${(addresses += 1)}` },
      });
    expect(statusesOf(await inTurn(3, fail))).toEqual([401, 401, 401]);
    expectTooManyFailures(await fail(), 3);
    expect((await surface.call('GET', '/v1/workspaces')).status).toBe(200);
  });
});

test('sessions are limited per customer and per link, not per address; a page can read it', async () => {
  await using surface = await startSurface({ limits: { sessionsPerMinute: 2, authFailuresPerMinute: 1 } });
  expect((await beginSession(surface)).headers['ratelimit']).toMatch(/^"sessions";r=1;t=\d+$/);
  const link = () => openLink(surface);
  expect(statusesOf(await inTurn(2, link))).toEqual([200, 200]);
  expect((await beginSession(surface)).status).toBe(200);
  const ofPage = await beginSession(surface, known.customerToken, { origin: 'https://shop.example' });
  expect(ofPage.headers['access-control-allow-origin']).toBe('https://shop.example');
  expect(ofPage.headers['access-control-expose-headers']).toMatch(/RateLimit, .*Retry-After/);
  for (const refused of [ofPage, await link()]) {
    expect(refused.envelope()).toMatchObject({ code: 429, type: 'rate-limited' });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(refused.headers['ratelimit-policy']).toBe('"sessions";q=2;w=60');
    expect(refused.headers['ratelimit']).toBe(`"sessions";r=0;t=${seconds}`);
  }
  expect((await beginSession(surface, known.otherCustomerToken)).status).toBe(200);
});

test('sessions and their calls are accepted again after the Retry-After', async () => {
  await using surface = await startSurface({ limits: { sessionsPerMinute: 60, pendingPerMinute: 60 } });
  const call = await startSession(surface);
  const pending = () => call('GET', `${inWorkspace}/pending`);
  await exhaust(pending);
  expect((await pending()).status).toBe(200);
  const begin = () => beginSession(surface);
  await exhaust(begin);
  expect((await begin()).status).toBe(200);
});

test('rejected tokens and links are counted per address, and do not block valid ones', async () => {
  await using surface = await startSurface({ limits: { authFailuresPerMinute: 3 } });
  expect((await beginSession(surface, 'wrong')).status).toBe(401);
  expect((await openLink(surface, 'wrong')).status).toBe(404);
  const nowhere = `/public/v1/workspaces/${known.botId}/sessions`;
  const body = { customerToken: known.customerToken };
  expect((await surface.call('POST', nowhere, { credentials: null, body })).status).toBe(404);
  for (const refused of [
    await beginSession(surface, 'wrong'),
    await openLink(surface, 'wrong'),
    await surface.call('POST', nowhere, { credentials: null, body }),
  ]) {
    expectTooManyFailures(refused, 3);
  }
  expect((await beginSession(surface)).status).toBe(200);
  expect((await openLink(surface)).status).toBe(200);
});

describe('each session has its own limit', () => {
  let surface: Surface;
  beforeAll(async () => {
    const limits = { pendingPerMinute: 2, conversationCallsPerMinute: 2, messagesPerMinute: 2 };
    surface = await startSurface({ limits });
  });
  afterAll(() => surface[Symbol.asyncDispose]());

  test.each([
    ['pending', 'GET', `${inWorkspace}/pending`],
    ['conversation', 'GET', inConversation],
    ['conversation', 'POST', `${inConversation}/start`],
    ['messages', 'POST', `${inConversation}/messages`],
  ])('%s (%s)', async (name, method, path) => {
    const body = path.endsWith('/messages') ? message : undefined;
    const call = await startSession(surface);
    expect(statusesOf(await inTurn(3, () => call(method, path, body)))).toEqual([200, 200, 429]);
    expect((await call(method, path, body)).headers['ratelimit']).toMatch(`"${name}";r=0;t=`);
    const another = await startSession(surface);
    expect((await another(method, path, body)).status).toBe(200);
  });
});

test('programs that open the links of an e-mail take nothing of the limit of the button', async () => {
  // The default of a deployment.
  await using surface = await startSurface({ limits: { conversationCallsPerMinute: 120 } });
  const call = (method: string, answer = 9) => {
    const path = `/interactions/${known.linkToken}/answer?step=score&answer=${answer}`;
    return surface.call(method, path, { credentials: null });
  };
  for (let round = 0; round < 20; round += 1) {
    const method = round % 2 ? 'HEAD' : 'GET';
    const answers = await Promise.all(Array.from({ length: 11 }, (_, answer) => call(method, answer)));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
  }
  const pressed = await Promise.all(Array.from({ length: 200 }, () => call('POST')));
  expect(statusesOf(pressed).filter((status) => status === 303).length).toBeGreaterThanOrEqual(120);
  const refused = pressed.find(({ status }) => status === 429);
  expect(refused?.headers['ratelimit-policy']).toBe('"conversation";q=120;w=60');
  expect((await call('GET')).status).toBe(200);
});

describe('posts to open links', () => {
  let surface: Surface;
  let addresses = 0;
  beforeAll(async () => {
    surface = await startSurface({ trustedProxies: ['127.0.0.1'] });
  });
  afterAll(() => surface[Symbol.asyncDispose]());

  const newAddress = () => `192.0.2.${(addresses += 1)}`;
  const visit = (method: string, address = newAddress(), token = known.openLinkToken) =>
    surface.call(method, `/open/${token}`, { credentials: null, headers: { 'x-forwarded-for': address } });
  const asked = () => surface.services.seen.filter(({ method }) => method === 'visitOpenLink').length;

  test('that start nothing count for their address, too, and no service is asked for more', async () => {
    const unknown = known.openLinkToken.replace(/.$/, 'y');
    const address = newAddress();
    const had = asked();
    const answers = await inTurn(12, () => visit('POST', address, unknown));
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429]);
    expect(asked() - had).toBe(10);
    expect(answers[11]?.headers['ratelimit-policy']).toBe('"starts";q=10;w=60');
    expect((await visit('POST', address)).status).toBe(429);
    expect((await visit('GET', address)).status).toBe(200);
    expect((await visit('POST')).status).toBe(303);
  });

  test('are refused by a page for the frames of the link', async () => {
    const address = newAddress();
    const page = await visit('GET', address);
    const frames = expect.stringContaining('frame-ancestors https://shop.example');
    expect(page.headers['content-security-policy']).toEqual(frames);
    const answers = await inTurn(11, () => visit('POST', address));
    expect(answers[10]).toMatchObject({ status: 429, headers: { 'content-security-policy': frames } });
    surface.services.before.set('respondToOpenLink', () => {
      throw new Error('down');
    });
    const failed = await visit('POST');
    expect(failed).toMatchObject({ status: 500, headers: { 'content-security-policy': frames } });
    surface.services.before.clear();
  });
});

test('starts of an open link are limited for all addresses together, exactly, and counted by outcome', async () => {
  const limits = { startsPerLinkPerMinute: 3 };
  await using surface = await startSurface({ limits, trustedProxies: ['127.0.0.1'] });
  const begun = () => surface.services.seen.filter(({ method }) => method === 'respondToOpenLink').length;
  const start = (address: string) => {
    const headers = { 'x-forwarded-for': address };
    return surface.call('POST', `/open/${known.openLinkToken}`, { credentials: null, headers });
  };
  const counted = vi.spyOn(openLinkStarts, 'add');
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => start(`192.0.2.${at + 1}`)));
  for (let times = 0; times < 10; times += 1) await start('192.0.2.1');
  const outcomes = counted.mock.calls.map(([{ outcome }]) => String(outcome));
  const countOf = (one: string) => outcomes.filter((outcome) => outcome === one).length;
  expect([countOf('begun'), countOf('link_limit'), countOf('address_limit')]).toEqual([3, 26, 1]);
  expect(statusesOf(answers).filter((status) => status === 303)).toHaveLength(3);
  const refused = answers.filter(({ status }) => status === 429);
  expect([refused.length, begun()]).toEqual([17, 3]);
  expect(refused[0]?.headers['ratelimit-policy']).toBe('"linkStarts";q=3;w=60');
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused[0]?.text).toContain('Too many conversations');
});

/** Returns the status of a rejected customer token, with the client's address from a proxy. */
async function failing(surface: Surface, forwardedFor: string): Promise<number> {
  const headers = { 'x-forwarded-for': forwardedFor };
  return (await beginSession(surface, 'wrong', headers)).status;
}

test('without a trusted proxy, X-Forwarded-For and Forwarded have no effect', async () => {
  await using surface = await startSurface({ limits: { authFailuresPerMinute: 1 } });
  expect(await failing(surface, '192.0.2.1')).toBe(401);
  for (const address of ['192.0.2.2', '::1', '']) expect(await failing(surface, address)).toBe(429);
});

test('sign-ins that begin are limited per address, and identity is not asked for more', async () => {
  const limits = { signInsPerMinute: 2 };
  await using surface = await startSurface({ limits, trustedProxies: ['127.0.0.1'] });
  const begin = (address: string) => {
    const headers = { accept: 'text/html', 'x-forwarded-for': address };
    return fetch(`${surface.url}/console/sign-in`, { headers, redirect: 'manual' });
  };
  const asked = () => surface.services.seen.filter(({ method }) => method === 'beginSignIn').length;
  for (let times = 0; times < 2; times += 1) expect((await begin('192.0.2.1')).status).toBe(303);
  const refused = await begin('192.0.2.1');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await refused.text()).toContain('Too many sign-ins from this address');
  expect(asked()).toBe(2);
  expect((await begin('192.0.2.2')).status).toBe(303);
});

test('behind a trusted proxy each client has its own limit, whatever addresses it adds', async () => {
  const limits = { authFailuresPerMinute: 1 };
  await using surface = await startSurface({ limits, trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] });
  const status = (forwardedFor: string) => failing(surface, forwardedFor);
  expect(await status('192.0.2.1')).toBe(401);
  expect(await status('192.0.2.2')).toBe(401);
  // The rightmost address that is not a trusted proxy is the one that a trusted proxy has seen.
  expect(await status('198.51.100.9, 192.0.2.1')).toBe(429);
  expect(await status('198.51.100.9, 192.0.2.2, 10.1.2.3')).toBe(429);
  expect(await status('192.0.2.3, 10.1.2.3')).toBe(401);
  // One network of IPv6 is one client.
  expect(await status('2001:db8:1:2::1')).toBe(401);
  expect(await status('2001:db8:1:2:ffff::9')).toBe(429);
  expect(await status('2001:db8:1:3::1')).toBe(401);
});
