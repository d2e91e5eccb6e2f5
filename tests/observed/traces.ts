import { randomBytes } from 'node:crypto';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, messageTo, openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Observed } from './system.ts';

const stack = new AsyncDisposableStack();
let system: System;
let workspace: TestWorkspace;
let receiver: Receiver;
let browser: Browser;
let interactionId: string;
const requestId = 'the-last-answer';

async function setUp(observed: Observed): Promise<void> {
  ({ system } = observed);
  const { baseUrl } = system.local();
  workspace = await createWorkspace(baseUrl, system.operator);
  receiver = stack.use(await startReceiver());
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 's', isActive: true });
  const botId = await workspace.publish(npsBot);
  const wanted = { customerId: 'traced', botId, status: 'Pending' };
  interactionId = (await workspace.api.post<{ id: string }>('/interactions', wanted)).body.data.id;
  browser = await openBrowser(baseUrl, workspace, 'traced');
  const started = await browser.start(interactionId);
  const polled = browser.look(interactionId, `?after=${started.seq}&wait=20`);
  const asked = await browser.say(interactionId, started, { value: 10 });
  expect((await polled).status).toBe(200);
  const last = messageTo(asked, { skip: true });
  const path = `/conversations/${interactionId}/messages`;
  await browser.api.post(path, last, { 'x-request-id': requestId });
  await eventually(() => expect(receiver.requests).toHaveLength(1));
}

/** The page at a path below `/traces`, of the second gateway. */
async function pageOf(path: string): Promise<string> {
  const response = await fetch(`${system.local().gateways[1]}/traces${path}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; /);
  return response.text();
}

function textsOf(page: string, className: string): string[] {
  const element = new RegExp(`<(\\w+) class="${className}[^>]*>(.*?)</\\1>`, 'g');
  return Array.from(page.matchAll(element), ([, , text = '']) => text.replaceAll(/<[^>]*>/g, ''));
}

/** The paths of the traces that a page leads to. */
function linksOf(page: string): string[] {
  return Array.from(
    page.matchAll(/<td class="name"><a href="\/traces(\/[0-9a-f]{32})"/g),
    ([, path = '']) => path,
  );
}

export function traceTests(observed: () => Observed): void {
  beforeAll(() => setUp(observed()));
  afterAll(() => stack.disposeAsync());

  test('a completion is found by its request id, and shown from the call to the webhook', async () => {
    // Each process exports its spans on its own.
    const page = await eventually(async () => {
      const links = linksOf(await pageOf(`?q=${requestId}`));
      expect(links).toHaveLength(1);
      const shown = await pageOf(String(links[0]));
      const names = textsOf(shown, 'name');
      expect(names[0]).toBe(
        'POST /public/v1/workspaces/{workspaceId}/conversations/{interactionId}/messages',
      );
      expect(names).toEqual(
        expect.arrayContaining([
          'call ConversationService/PostMessage',
          'ConversationService/PostMessage',
          'send parley.interaction.completed.v1',
          'process parley.interaction.completed.v1',
          'POST webhook',
        ]),
      );
      const services = [...new Set(textsOf(shown, 'badge'))];
      expect(services).toEqual(expect.arrayContaining(['gateway', 'customer', 'interaction', 'webhook']));
      return shown;
    });
    for (const id of [requestId, interactionId, workspace.id]) expect(page).toContain(`/traces?q=${id}`);
  });

  test('an interaction has all its traces, each with the others, and without long polls', async () => {
    const all = await eventually(async () => {
      const page = await pageOf(`?q=${interactionId}`);
      const names = textsOf(page, 'name');
      expect(names).toEqual(
        expect.arrayContaining([
          'POST /v1/workspaces/{workspaceId}/interactions',
          'POST /public/v1/workspaces/{workspaceId}/conversations/{interactionId}/start',
          'POST /public/v1/workspaces/{workspaceId}/conversations/{interactionId}/messages',
        ]),
      );
      expect(names.join()).not.toContain('GET /public');
      expect(page).toContain('1 long poll left out');
      return linksOf(page);
    });
    const one = await pageOf(String(all[0]));
    expect(linksOf(one).toSorted()).toEqual(all.slice(1).toSorted());
    const polls = await pageOf(`?q=${interactionId}&polls=1`);
    expect(textsOf(polls, 'name')).toContain(
      'GET /public/v1/workspaces/{workspaceId}/conversations/{interactionId}',
    );
  });

  test('looking at traces makes none, and probes make none', async () => {
    for (const path of ['/readyz', '/healthz', '/traces']) await fetch(system.local().baseUrl + path);
    await workspace.api.get('/webhooks', { 'x-request-id': 'after-the-probes' });
    await eventually(async () => expect(linksOf(await pageOf('?q=after-the-probes'))).toHaveLength(1));
    expect(textsOf(await pageOf(''), 'name').filter((name) => /traces|health|ready/i.test(name))).toEqual([]);
  });

  /** An export with one span that has hostile texts everywhere. */
  function hostileExport(traceId: string, text: string) {
    const attributes = [
      { key: text, value: { stringValue: text } },
      { key: 'parley.request.id', value: { stringValue: text } },
    ];
    const at = String(Date.now() * 1e6);
    const span = { traceId, spanId: '00000000000000aa', name: text, kind: 2, attributes };
    const spans = [{ ...span, startTimeUnixNano: at, endTimeUnixNano: at, status: {} }];
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: text } }] };
    return { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] };
  }

  test('hostile texts are text, and other pages and hosts reach nothing', async () => {
    const found = await fetch(`${system.local().baseUrl}/traces`, { redirect: 'manual' });
    const { origin } = new URL(String(found.headers.get('location')));
    const traceId = randomBytes(16).toString('hex');
    const text = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
    const post = (body: string, type: string) =>
      fetch(`${origin}/otlp/v1/traces`, { method: 'POST', body, headers: { 'content-type': type } });
    const sent = await post(JSON.stringify(hostileExport(traceId, text)), 'application/json');
    expect(sent.status).toBe(200);
    const pages = [
      await pageOf(`/${traceId}`),
      await pageOf(`?q=${encodeURIComponent(text)}`),
      await pageOf(''),
    ];
    for (const page of pages) {
      expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x');
      expect(page).not.toMatch(/<script|<img|onerror='/);
    }
    expect((await post('{}', 'text/plain')).status).toBe(415);
    expect((await post('[]', 'application/json')).status).toBe(400);
    expect((await fetch(`${origin.replace('127.0.0.1', 'localhost')}/traces`)).status).toBe(403);
    expect((await fetch(`${origin}/traces/${'0'.repeat(32)}`)).status).toBe(404);
  });
}
