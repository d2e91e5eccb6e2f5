import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Overview } from '../src/preview/overview.ts';
import { type RunningCommand, runCommand, startCommand } from './run-command.ts';

const main = resolve(import.meta.dirname, '../src/main.ts');
const sample = resolve(import.meta.dirname, '../../bot/samples/nps-follow-up.json');

let folder: string;
let bot: string;
let definition: string;
let running: RunningCommand[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-preview-test-'));
  bot = join(folder, 'bot.json');
  definition = await readFile(sample, 'utf8');
  await writeFile(bot, definition);
  running = [];
});
afterEach(async () => {
  for (const command of running) command.signal('SIGINT');
  for (const { outcome } of running) expect((await outcome).exitCode).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

/** Starts `parley bot preview`. Returns the printed address. */
async function preview(...args: string[]) {
  const command = startCommand(['bot', 'preview', bot, '--json', ...args]);
  running.push(command);
  const failed = command.outcome.then(({ stderr }) => expect.fail(stderr));
  const [printed] = await Promise.race([once(command.stdout, 'data'), failed]);
  const { url } = JSON.parse(String(printed)) as { url: string };
  return { url, events: overviews(url) };
}

/** Yields the events for the page. */
async function* overviews(url: string): AsyncGenerator<Overview, void> {
  const { body } = await fetch(`${url}events`);
  if (!body) throw new Error('the events have no body');
  let kept = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (kept + chunk).split('\n\n');
    kept = parts.pop() ?? '';
    for (const part of parts) yield JSON.parse(part.replace(/^data: /, '')) as Overview;
  }
}

async function nextWhere(events: AsyncGenerator<Overview, void>, holds: (one: Overview) => boolean) {
  for (;;) {
    const { value } = await events.next();
    if (!value) throw new Error('the events have ended');
    if (holds(value)) return value;
  }
}

interface Answer {
  status: number;
  type?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a snapshot or a session
  data: any;
}

/** Opens a link. Returns the calls of the landing page. */
async function openConversation(url: string, link: string) {
  const post = (to: string, body: unknown, token = ''): Promise<Answer> =>
    send(to, { method: 'POST', body: JSON.stringify(body), headers: { authorization: `Bearer ${token}` } });
  const send = async (to: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(new URL(to, url), init);
    return { status: answer.status, ...((await answer.json()) as Omit<Answer, 'status'>) };
  };
  const token = link.split('/').at(-1);
  const { data } = await post('/public/v1/link-sessions', { token });
  const { sessionToken, workspaceId, interactionId, status, botName } = data;
  const path = `/public/v1/workspaces/${workspaceId}/conversations/${interactionId}`;
  return {
    session: { status, botName },
    interactionId,
    pending: () =>
      send(`/public/v1/workspaces/${workspaceId}/pending?locale=en`, {
        headers: { authorization: `Bearer ${sessionToken}` },
      }),
    start: () => post(`${path}/start`, {}, sessionToken),
    answer: (clientMessageId: string, expectedSeq: number, stepId: string, answer: unknown) =>
      post(`${path}/messages`, { clientMessageId, expectedSeq, stepId, answer }, sessionToken),
    get: (query: string, token = sessionToken) =>
      send(`${path}${query}`, { headers: { authorization: `Bearer ${token}` } }),
  };
}

test('the public API runs the conversation, and the page shows its state', async () => {
  const { url, events } = await preview('--customer', 'first=Ada', '--context', 'productName=Skylark');
  const first = await nextWhere(events, () => true);
  expect(first).toMatchObject({
    status: 'Pending',
    problem: null,
    bot: { key: 'nps-follow-up' },
    context: [{ name: 'productName', value: 'Skylark' }],
  });
  const conversation = await openConversation(url, first.link ?? '');
  expect(conversation.session).toEqual({ status: 'Pending', botName: 'NPS follow-up' });

  // All fields of the public API.
  expect(await conversation.pending()).toMatchObject({
    status: 200,
    data: {
      interactionId: conversation.interactionId,
      status: 'Pending',
      type: 'NPS',
      priority: 'Medium',
      botName: 'NPS follow-up',
      teaser: expect.stringMatching(/^Hi Ada! .* Skylark/),
      expiresAt: null,
      more: 0,
    },
  });
  expect((await conversation.get('')).data).toEqual({
    status: 'Pending',
    seq: 0,
    entries: [],
    input: null,
    awaiting: null,
    progress: 0,
    expiresAt: null,
    botName: 'NPS follow-up',
  });
  const waiting = conversation.get('?after=0&wait=25');
  const begun = await conversation.start();
  expect(begun.data).toMatchObject({ status: 'InProgress', seq: 2, input: { stepId: 'score', type: 'nps' } });
  expect((await waiting).data.entries[0].body).toMatch(/^Hi Ada! .* Skylark/);

  expect(await conversation.answer('m-0', 2, 'score', { value: 11 })).toMatchObject({
    status: 422,
    type: 'unanswerable-answer',
  });
  const taken = await conversation.answer('m-1', 2, 'score', { value: 3 });
  expect(taken).toMatchObject({ status: 200, data: { seq: 5, input: { stepId: 'why' } } });
  expect(await conversation.answer('m-1', 2, 'score', { value: 3 })).toEqual(taken);
  expect(await conversation.answer('m-1', 2, 'score', { value: 4 })).toMatchObject({
    status: 409,
    type: 'client-message-id-reused',
  });
  const late = await conversation.answer('m-2', 2, 'score', { value: 4 });
  expect(late).toMatchObject({ status: 409, type: 'stale-sequence', data: { seq: 5 } });
  expect((await conversation.get('', 'forged')).status).toBe(404);

  await conversation.answer('m-3', 5, 'why', { text: 'Slow' });
  const seen = await nextWhere(events, ({ stepId }) => stepId === 'contact');
  expect(seen).toMatchObject({
    answers: [
      { name: 'score', value: '3' },
      { name: 'why', value: 'Slow' },
    ],
    context: [{ name: 'productName', value: 'Skylark' }],
    notes: ['theme failed without a model and continued at unclassified.'],
  });
  expect(seen.evaluation).toContainEqual({ name: 'nps_segment', value: 'detractor' });
});

test('follows its file: shows faults by line, and keeps the answers after a change', async () => {
  const { url, events } = await preview();
  const { link } = await nextWhere(events, () => true);
  const conversation = await openConversation(url, link ?? '');
  await conversation.start();
  await conversation.answer('m-1', 2, 'score', { value: 3 });

  await writeFile(bot, definition.replace('"kind": "say"', '"kind": "sing"'));
  const broken = await nextWhere(events, ({ problem }) => problem !== null);
  expect(broken).toMatchObject({ link, stepId: 'why', problem: { faults: [{ pointer: '/steps/0/kind' }] } });
  expect(broken.problem?.faults[0]?.frame).toContain('"sing"');

  // Many editors replace the file.
  await writeFile(`${bot}.new`, definition.replace('main reason', 'chief reason'));
  await rename(`${bot}.new`, bot);
  const fixed = await nextWhere(events, ({ problem }) => problem === null);
  expect(fixed).toMatchObject({ stepId: 'why', answers: [{ name: 'score', value: '3' }] });
  expect(fixed.link).not.toBe(link);
  const { data } = await (await openConversation(url, fixed.link ?? '')).get('?after=4');
  expect(data.entries[0].body).toContain('chief reason');

  expect((await fetch(`${url}restart`, { method: 'POST' })).status).toBe(204);
  const restarted = await nextWhere(events, (one) => one.link !== fixed.link);
  expect(restarted).toMatchObject({ status: 'Pending', answers: [] });
});

test('the page has a map of the steps and the warnings of the file', async () => {
  const { events } = await preview();
  const { map, warnings } = await nextWhere(events, () => true);
  expect(warnings).toEqual([]);
  expect(map.find(({ id }) => id === 'why')?.from).toEqual(['delighted', 'pleased', 'sorry']);

  // Most paths jump over a question that is inserted before the common one, and none takes an arm behind `true`.
  const added = '{ "id": "added", "kind": "ask", "text": "Added?", "input": { "type": "text" } },';
  const changed = definition
    .replace(/(?=\{\s*"id": "why")/, added)
    .replace('"answers.score >= 9", "goto"', '"true", "goto"');
  await writeFile(bot, changed);
  const next = await nextWhere(events, (one) => one.warnings.length > 0);
  expect(next.map.find(({ id }) => id === 'added')?.from).toEqual(['sorry']);
  expect(next.map.find(({ id }) => id === 'why')?.from).toEqual(['delighted', 'pleased', 'added']);
  expect(next.map.filter(({ isReached }) => !isReached).map(({ id }) => id)).toContain('pleased');
  expect(next.warnings[0]?.detail).toContain('No path from the start reaches the step "pleased"');
  expect(next.warnings[0]?.at).toMatch(/^line \d+, column \d+$/);
});

test('a person answers the llm steps on the page', async () => {
  const { url, events } = await preview('--as-model');
  const { link } = await nextWhere(events, () => true);
  const conversation = await openConversation(url, link ?? '');
  await conversation.start();
  await conversation.answer('m-1', 2, 'score', { value: 9 });
  const waiting = await conversation.answer('m-2', 5, 'why', { text: 'Fast' });
  expect(waiting.data).toMatchObject({ input: null, awaiting: 'llm', seq: 6 });
  expect((await nextWhere(events, ({ model }) => model !== null)).model).toMatchObject({ stepId: 'theme' });

  const say = (line: string) => fetch(`${url}model`, { method: 'POST', body: JSON.stringify({ line }) });
  const wrong = await say('speed');
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringMatching(/"label" must be one of/)]);
  expect((await say('service')).status).toBe(204);
  const done = await nextWhere(events, ({ status }) => status === 'Completed');
  expect(await conversation.pending()).toMatchObject({ status: 200, data: null });
  expect(done.evaluation).toContainEqual({ name: 'theme', value: 'service' });

  // A reload also keeps the model's answers.
  await writeFile(bot, definition.replace('Thank you for your time', 'Many thanks'));
  expect(await nextWhere(events, (one) => one.link !== link)).toMatchObject({ status: 'Completed' });
  expect((await say('service')).status).toBe(422);
});

test('starts with a faulty file, and shows the conversation once it is valid', async () => {
  await writeFile(bot, '{');
  const { events } = await preview();
  expect(await nextWhere(events, () => true)).toMatchObject({ link: null, bot: null });
  await writeFile(bot, definition);
  expect(await nextWhere(events, ({ problem }) => problem === null)).toMatchObject({ status: 'Pending' });
});

test('serves only its own pages on this machine, under a strict policy', async () => {
  const { url } = await preview();
  const page = await fetch(url);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const landing = await fetch(`${url}interactions/x`);
  expect(landing.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  const script = /src="([^"]+landing\.js)"/.exec(await landing.text())?.[1];
  const landingScript = await fetch(new URL(script ?? '', url));
  expect(landingScript.headers.get('content-type')).toMatch(/^text\/javascript/);
  // What it loads for rare types of questions.
  const fields = /import\("(\.\/[^"]+)"\)/.exec(await landingScript.text())?.[1] ?? '';
  const fieldsScript = await fetch(new URL(fields, landingScript.url));
  expect(fieldsScript.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(await fieldsScript.text()).toContain('loadedFields');
  for (const name of ['page.css', 'page.mjs']) expect((await fetch(url + name)).status).toBe(200);
  expect((await fetch(`${url}server.ts`)).status).toBe(404);

  const { hostname, port } = new URL(url);
  expect(hostname).toBe('127.0.0.1');
  expect(await statusFor(port, { host: `attacker.example:${port}` })).toBe(403);
  expect(await statusFor(port, { host: `localhost:${port}` })).toBe(200);
  expect(await statusFor(port, { host: `127.0.0.1:${port}`, origin: 'https://attacker.example' })).toBe(403);
});

/** `fetch` rejects these headers. */
async function statusFor(port: string, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, path: '/', headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test('SIGTERM ends its process cleanly while a page is open', async () => {
  const child = spawn(
    process.execPath,
    ['--conditions=@parley/source', main, 'bot', 'preview', bot, '--json'],
    {
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exited = once(child, 'exit');
  const errors = text(child.stderr);
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(String(printed)) as { url: string };
  await nextWhere(overviews(url), () => true);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(await errors).toBe('');
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('reports why it cannot start', async () => {
  const { url } = await preview();
  const errorOf = async (...args: string[]) => (await runCommand(['bot', 'preview', ...args])).stderr;
  const taken = new URL(url).port;
  expect(await errorOf(bot, '--port', taken)).toMatch(/the preview cannot listen: .*EADDRINUSE/);
  expect(await errorOf(join(folder, 'absent.json'))).toMatch(/there is no file/);
  expect(await errorOf(bot, '--port', 'many')).toMatch(/--port: many is not a port/);
  expect(await errorOf(bot, '--context', 'colour=red')).toMatch(/no context property colour/);
});
