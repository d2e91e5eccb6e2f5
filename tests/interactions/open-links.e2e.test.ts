import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { browserWith } from '../conversations/conversation.ts';
import { linkTokenOf, openLink } from '../conversations/public-sessions.ts';
import { sampleBot } from '../conversations/sample-bots.ts';

// Contract 3, section 19: open links. Their pages in a browser are in tests/browser/open-links.browser.test.ts.

const { baseUrl } = inject('local');

interface OpenLink {
  id: string;
  url: string;
  responses: number;
}

let workspace: TestWorkspace;
let botId: string;
let path: string;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(sampleBot('nps-follow-up'));
  path = `/bots/${botId}/open-links`;
  await workspace.client.branding.update({ endText: 'Come <again>' });
});

const create = async (body: object = {}) =>
  (await workspace.api.post<OpenLink>(path, { name: 'Table', ...body })).body.data;

/** Every visitor has an address of its own: starts are counted by address. */
let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `127.77.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
};

interface Visited {
  status: number;
  location: string | undefined;
  cookie: string | undefined;
  setCookie: string;
  policy: string;
  html: string;
}

/** Sends a request as a browser does that follows no redirects. */
async function visit(
  url: string,
  {
    method = 'GET',
    address = newAddress(),
    headers = {},
  }: { method?: string; address?: string; headers?: object } = {},
): Promise<Visited> {
  const agent = new Agent({ localAddress: address });
  const { promise, resolve, reject } = Promise.withResolvers<Visited>();
  const sent = request(url, { method, agent, headers: { ...headers } }, (answer) => {
    text(answer).then((html) => {
      const [setCookie = ''] = answer.headers['set-cookie'] ?? [];
      const { location } = answer.headers;
      const cookie = setCookie.split(';')[0];
      const policy = String(answer.headers['content-security-policy']);
      resolve({ status: answer.statusCode ?? 0, location, cookie, setCookie, policy, html });
    }, reject);
  });
  sent.on('error', reject).end();
  return promise.finally(() => agent.destroy());
}

const start = (url: string, options: Parameters<typeof visit>[1] = {}) =>
  visit(url, { method: 'POST', ...options });

const interactionsOf = async () =>
  (
    await workspace.api.get<{ id: string; customerId: string; status: string; context: object[] }[]>(
      '/interactions',
    )
  ).body.data;

describe('the API', () => {
  test('creates, lists, changes and deletes links, whose URL stays', async () => {
    const end = '2099-01-01T00:00:00Z';
    const made = await workspace.api.post<OpenLink>(path, {
      name: 'Table 7',
      expiresAt: end,
      responsesMax: 5,
      contextKeys: ['productName'],
    });
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      botId,
      name: 'Table 7',
      url: expect.stringMatching(/\/open\/[0-9A-Za-z]{45}$/),
      expiresAt: '2099-01-01T00:00:00.000000',
      responsesMax: 5,
      responses: 0,
      contextKeys: ['productName'],
      isClosed: false,
      createdAt: expect.stringMatching(/^\d{4}-/),
      createdBy: workspace.apiKey,
    });
    const { id, url } = made.body.data;
    const etag = made.headers.get('etag') ?? '';
    const { openLinks } = workspace.client.bots;
    expect(await openLinks.get(botId, id)).toEqual(made.body.data);
    expect(Buffer.from(await openLinks.qr(botId, id)).toString()).toMatch(/^<svg /);
    expect(await openLinks.update(botId, id, { name: 'Table 7' })).toEqual(made.body.data);
    const change = { name: 'Table 8', expiresAt: null, responsesMax: null, isClosed: true };
    const changed = await workspace.api.patch(`${path}/${id}`, change, { 'if-match': etag });
    expect(changed.body.data).toEqual({ ...made.body.data, ...change });
    expect((await workspace.api.patch(`${path}/${id}`, { name: 'x' }, { 'if-match': etag })).status).toBe(
      412,
    );
    const listed = await openLinks.list(botId, { limit: 1 });
    expect(listed.data[0]).toMatchObject({ id, url });
    await openLinks.delete(botId, id);
    expect((await workspace.api.get(`${path}/${id}`)).status).toBe(404);
    expect((await visit(url)).status).toBe(410);
  });

  test('names the faults of a link', async () => {
    const faulty = { name: ' ', responsesMax: 0, contextKeys: ['nope'] };
    expect((await workspace.api.post(path, faulty)).body.errors?.map(({ pointer }) => pointer)).toEqual([
      '/name',
      '/responsesMax',
    ]);
    const unknown = await workspace.api.post(path, { name: 'x', contextKeys: ['nope'] });
    expect(unknown.body.errors).toEqual([
      { pointer: '/contextKeys/0', detail: expect.stringMatching(/^Must be one of: /) },
    ]);
    const elsewhere = path.replace(botId, '01890000-0000-7000-8000-000000000000');
    expect((await workspace.api.post(elsewhere, { name: 'x' })).status).toBe(404);
  });

  test('creates one link for an Idempotency-Key, whose replay has the URL', async () => {
    const key = { 'idempotency-key': 'one' };
    const [first, again] = [
      await workspace.api.post<OpenLink>(path, { name: 'Once' }, key),
      await workspace.api.post<OpenLink>(path, { name: 'Once' }, key),
    ];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
  });
});

describe('a visitor', () => {
  test('reads the page as often as it likes, and nothing is written', async () => {
    const { id, url } = await create();
    const before = await interactionsOf();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await visit(`${url}?productName=Tea`, { method });
      expect([page.status, page.setCookie]).toEqual([200, '']);
    }
    expect((await visit(url)).html).toMatch(/<form [^>]*method="post"/);
    expect(await interactionsOf()).toEqual(before);
    expect((await workspace.api.get<OpenLink>(`${path}/${id}`)).body.data.responses).toBe(0);
  });

  test('starts with one post, and answers in the conversation of a new customer', async () => {
    const { id, url } = await create({ contextKeys: ['productName'] });
    const markup = '<b>Tea</b>';
    const begun = await start(`${url}?productName=${encodeURIComponent(markup)}&other=1`);
    expect(begun.status).toBe(303);
    const [link = '', fragment] = begun.location?.split('#') ?? [];
    expect([link, fragment]).toEqual([expect.stringMatching(/^\/interactions\/[0-9A-Za-z]{45}$/), 'resume']);
    const { body } = await openLink(baseUrl, linkTokenOf({ link }));
    const { interactionId, sessionToken, status } = body.data;
    expect(status).toBe('InProgress');
    const browser = browserWith(baseUrl, workspace.id, sessionToken);
    const snapshot = (await browser.look(interactionId)).body.data;
    await browser.say(interactionId, snapshot, { value: 9 });
    const found = (await interactionsOf()).find((one) => one.id === interactionId);
    expect(found).toMatchObject({
      customerId: expect.stringMatching(/^anonymous-[0-9a-f]{32}$/),
      context: [{ key: 'productName', value: markup }],
    });
    expect((await workspace.api.get<OpenLink>(`${path}/${id}`)).body.data.responses).toBe(1);
  });

  test('continues in the same browser for 30 days; another one begins a conversation of its own', async () => {
    const { url } = await create();
    const begun = await start(url);
    expect(begun.setCookie).toMatch(
      /Max-Age=2592000; Path=\/; HttpOnly; SameSite=None; Secure; Partitioned$/,
    );
    const headers = { cookie: begun.cookie ?? '' };
    for (const method of ['GET', 'POST']) {
      const again = await visit(url, { method, headers });
      expect([again.status, again.location]).toEqual([303, begun.location]);
    }
    const other = await start(url);
    expect(other.location).not.toBe(begun.location);
    const [link = ''] = begun.location?.split('#') ?? [];
    const { interactionId } = (await openLink(baseUrl, linkTokenOf({ link }))).body.data;
    await workspace.api.delete(`/interactions/${interactionId}`);
    expect((await visit(url, { headers })).status).toBe(200);
  });

  test('who presses the button twice begins one conversation', async () => {
    const { id, url } = await create();
    const action = /action="([^"]+)"/.exec((await visit(url)).html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const twice = await Promise.all([start(new URL(action, url).href), start(new URL(action, url).href)]);
    expect(twice[0].location).toBe(twice[1].location);
    expect((await workspace.api.get<OpenLink>(`${path}/${id}`)).body.data.responses).toBe(1);
  });

  test('of a closed, full, expired or deleted link reads so, in the own language', async () => {
    const closed = await create();
    const full = await create({ responsesMax: 1 });
    const expired = await create({ expiresAt: '2020-01-01T00:00:00Z' });
    await workspace.api.patch(`${path}/${closed.id}`, { isClosed: true });
    expect((await start(full.url)).status).toBe(303);
    const said: [string, string, string][] = [
      [closed.url, 'This link is closed.', 'Dieser Link ist geschlossen.'],
      [full.url, 'This link takes no more answers.', 'Dieser Link nimmt keine Antworten mehr an.'],
      [expired.url, 'This link has expired.', 'Dieser Link ist abgelaufen.'],
    ];
    for (const [url, english, german] of said) {
      for (const method of ['GET', 'POST']) {
        const page = await visit(url, { method, headers: { 'accept-language': 'de-AT,en;q=0.5' } });
        expect([page.status, page.html]).toEqual([410, expect.stringContaining(german)]);
        expect(page.html).toContain('<html lang="de">');
        expect(page.html).toContain('<p>Come &lt;again&gt;</p>');
      }
      expect((await visit(url)).html).toContain(english);
    }
    const unknown = await visit(closed.url.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')));
    expect(unknown.status).toBe(404);
  });

  test('of a page of another site starts nothing', async () => {
    const { id, url } = await create();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://other.example' }]) {
      expect((await start(url, { headers })).status).toBe(403);
    }
    expect((await start(url, { headers: { origin: baseUrl, 'sec-fetch-site': 'same-origin' } })).status).toBe(
      303,
    );
    expect((await workspace.api.get<OpenLink>(`${path}/${id}`)).body.data.responses).toBe(1);
  });

  test('sees the pages in a frame of allowed domains only', async () => {
    const { url } = await create();
    expect((await visit(url)).policy).toContain("frame-ancestors 'none'");
    const framed = await createWorkspace(baseUrl, inject('operator'));
    const bot = await framed.publish(sampleBot('nps-follow-up'));
    const link = (await framed.api.post<OpenLink>(`/bots/${bot}/open-links`, { name: 'x' })).body.data;
    await framed.api.post('/allowed-domains', { allowedDomains: ['https://shop.example'] });
    const page = await visit(link.url);
    expect(page.policy).toContain('frame-ancestors https://shop.example');
    const [conversation = ''] = (await start(link.url)).location?.split('#') ?? [];
    expect((await visit(baseUrl + conversation)).policy).toContain('frame-ancestors https://shop.example');
  });
});

test('the commands create, list, close, draw and delete links', async () => {
  const { apiKey: PARLEY_API_KEY, apiSecret: PARLEY_API_SECRET } = workspace;
  const cwd = await mkdtemp(join(tmpdir(), 'parley-links-'));
  const env = { PARLEY_URL: baseUrl, PARLEY_API_KEY, PARLEY_API_SECRET };
  const parley = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await runCommand(args, { env, cwd });
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout;
  };
  const command = (...args: string[]) => parley('bot', 'open-link', ...args);
  const key = 'nps-follow-up';
  const url = await command('create', key, '--name', 'Door', '--responses-max', '3');
  const { data } = (await workspace.api.get<OpenLink[]>(`${path}?limit=1`)).body;
  const { id = '' } = data[0] ?? {};
  expect(url).toBe(`${data[0]?.url}\n`);
  await command('close', key, id);
  expect(await command('list', key)).toMatch(new RegExp(`${id} +Door +0 of 3 +- +closed +${url}`));
  await command('open', key, id);
  await command('qr', key, id, '--output', 'door.png');
  expect((await readFile(join(cwd, 'door.png'))).toString('latin1', 1, 4)).toBe('PNG');
  await command('delete', key, id);
  expect(await command('list', key)).not.toContain(id);
  // The recipe of docs/reach.md.
  const page = await readFile(resolve(import.meta.dirname, '../../docs/reach.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh table\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const recipe = blocks.flatMap((block) => block.trim().split('\n'));
  expect(recipe).toHaveLength(3);
  await workspace.api.post('/customers', { id: `anonymous-${'0f'.repeat(16)}` });
  const outputs: string[] = [];
  for (const line of recipe) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
    outputs.push(await parley(...words.slice(1)));
  }
  expect(outputs[1]).toContain(outputs[0]?.trim());
  expect(outputs[2]).toMatch(/[1-9]\d* anonymous customers? deleted\n/);
  await rm(cwd, { recursive: true });
});

test('customers of open links are deleted by one call, and others stay', async () => {
  const { url } = await create();
  await start(url);
  for (const id of ['known', 'anonymous-4711']) await workspace.api.post('/customers', { id });
  expect((await workspace.api.delete('/customers')).body).toMatchObject({ code: 400 });
  const deleted = await workspace.api.delete<{ deleted: number }>('/customers?anonymous=true');
  expect(deleted.body.data).toEqual({ deleted: expect.any(Number), hasMore: false });
  expect(deleted.body.data.deleted).toBeGreaterThan(0);
  await eventually(async () => expect(await interactionsOf()).toEqual([]));
  const left = await workspace.api.get<{ id: string }[]>('/customers');
  expect(left.body.data.map(({ id }) => id)).toEqual(['known', 'anonymous-4711']);
  const again = await workspace.client.customers.deleteAnonymous({ anonymous: true });
  expect(again).toEqual({ deleted: 0, hasMore: false });
});

test('the conversations of a link for tests are tests', async () => {
  const link = await create({ isTest: true });
  expect(link).toMatchObject({ isTest: true });
  expect((await visit(link.url)).html).toContain('<mark>Test</mark>');
  expect((await visit((await create()).url)).html).not.toContain('<mark>');
  await start(link.url);
  const tests = await workspace.api.get<{ isTest?: true }[]>('/interactions?isTest=true');
  expect(tests.body.data).toMatchObject([{ isTest: true }]);
});

describe('many visitors', () => {
  test('at once begin exactly as many conversations as the link may', async () => {
    const { id, url } = await create({ responsesMax: 7 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => start(url)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(33);
    expect((await workspace.api.get<OpenLink>(`${path}/${id}`)).body.data.responses).toBe(7);
  });

  test('of one address start ten conversations a minute, and then read so', async () => {
    const { id, url } = await create();
    const address = newAddress();
    const startedAtMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(url, { address })));
    // One more every six seconds, which a busy machine may take.
    const laterMax = Math.floor((performance.now() - startedAtMs) / 6_000);
    const begun = answers.filter(({ status }) => status === 303).length;
    expect(begun).toBeGreaterThanOrEqual(10);
    expect(begun).toBeLessThanOrEqual(10 + laterMax);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20 - begun);
    expect(refused[0]?.html).toContain('Too many conversations');
    expect((await start(url)).status).toBe(303);
    expect((await workspace.api.get<OpenLink>(`${path}/${id}`)).body.data.responses).toBe(begun + 1);
  });
});
