import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InteractionHistory } from '@parley/client';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import type { ModelEndpoint, Said } from '@parley/testing/peers/model-endpoint';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Processes } from '../system/processes.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { modelKey, type Replicated } from './system.ts';
import {
  type Browser,
  messageId,
  messageTo,
  openBrowser,
  type Snapshot,
} from '../conversations/conversation.ts';

// The `llm` step through the public API, with a model behind the common protocol of hosted and local models.

const reason = 'Your prices went up twice, says Quillfeather';

const stack = new AsyncDisposableStack();
let endpoint: ModelEndpoint;
let model: Replicated['model'];
let processes: Processes;
let system: System;
let workspace: TestWorkspace;
let receiver: Receiver;
let botId: string;

async function setUp(replicated: Replicated): Promise<void> {
  ({ endpoint, model, processes, system } = replicated);
  workspace = await eventually(() => createWorkspace(system.local().baseUrl, system.operator));
  receiver = stack.use(await startReceiver());
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
  botId = await workspace.publish(npsBot);
}

/** A conversation at the question for the reason of an eight. */
async function untilReason(customerId: string) {
  await workspace.api.post('/customers', { id: customerId, firstName: 'Zebedee' });
  const wanted = { customerId, botId, status: 'Pending' };
  const { id } = (await workspace.api.post<{ id: string }>('/interactions', wanted)).body.data;
  const browser = await openBrowser(system.local().baseUrl, workspace, customerId);
  const snapshot = await browser.say(id, await browser.start(id), { value: 8 });
  return { id, browser, snapshot };
}

/** The completed conversation, as the browser sees it. */
function completed(browser: Browser, id: string): Promise<Snapshot> {
  return eventually(async () => {
    const { body } = await browser.look(id, '?after=0&wait=2');
    expect(body.data.status).toBe('Completed');
    return body.data;
  });
}

async function historyOf(id: string): Promise<InteractionHistory> {
  const { body } = await workspace.api.get<{ data: string }>(`/interactions/${id}`);
  return JSON.parse(body.data.data) as InteractionHistory;
}

export function modelTests(replicated: () => Replicated): void {
  beforeAll(() => setUp(replicated()));
  beforeEach(() => {
    endpoint.questions.length = 0;
    model.respond = () => ({ says: { label: 'price' } });
  });
  afterAll(() => stack.disposeAsync());

  test('the customer waits for the model, a poll gets its answer, and the evaluation has it', async () => {
    const { promise, resolve } = Promise.withResolvers<Said>();
    model.respond = () => promise;
    const { id, browser, snapshot } = await untilReason('waits');
    const waiting = await browser.say(id, snapshot, { text: reason });
    expect(waiting).toMatchObject({ status: 'InProgress', awaiting: 'llm', input: null });
    const early = await browser.send(id, messageTo(snapshot, { text: 'And slow' }));
    expect([early.status, early.body.type, early.body.data.awaiting]).toEqual([409, 'stale-sequence', 'llm']);
    const poll = browser.look(id, `?after=${waiting.seq}&wait=20`);
    await eventually(() => expect(endpoint.questions).toHaveLength(1));
    resolve({ says: { label: 'price' } });
    const heard = (await poll).body.data;
    expect(heard).toMatchObject({ status: 'Completed', awaiting: null, progress: 1 });
    expect(heard.entries.map(({ body }) => body)).toEqual([expect.stringContaining('Thank you')]);
    expect((await historyOf(id)).evaluation).toMatchObject({ nps_score: '8', theme: 'price' });
    expect(JSON.stringify(endpoint.questions[0]?.messages)).not.toContain('Zebedee');
  });

  test('a kill between the message and the answer loses nothing, and the conversation continues once', async () => {
    model.respond = () => 'hang';
    const { id, browser, snapshot } = await untilReason('is killed');
    const message = messageTo(snapshot, { text: reason }, messageId());
    expect((await browser.send(id, message)).body.data.awaiting).toBe('llm');
    await eventually(() => expect(endpoint.questions).toHaveLength(1));
    const names = ['interaction-1', 'interaction-2'];
    await Promise.all(names.map((name) => processes.end(name, 'SIGKILL')));
    model.respond = () => ({ says: { label: 'price' } });

    const conversation = await completed(browser, id);
    expect(endpoint.questions.length).toBeGreaterThan(1);
    const { evaluation, transcript } = await historyOf(id);
    expect(evaluation).toMatchObject({ reason, theme: 'price' });
    expect(transcript.filter(({ body }) => body === reason)).toHaveLength(1);
    expect(transcript.filter(({ body }) => body.startsWith('Thank you for your time'))).toHaveLength(1);
    expect(conversation.entries).toHaveLength(transcript.length);
    const again = await browser.send(id, message);
    expect([again.status, again.body.data.status]).toEqual([200, 'Completed']);
    await eventually(() => expect(told(id)).toBe(1));
  });

  test('an unresponsive model delays the conversation for at most its time-out', async () => {
    model.respond = () => 'hang';
    const { id, browser, snapshot } = await untilReason('hangs');
    const { seq } = await browser.say(id, snapshot, { text: reason });
    const { body } = await browser.look(id, `?after=${seq}&wait=20`);
    expect(body.data.status).toBe('Completed');
    expect((await historyOf(id)).evaluation).toMatchObject({ theme: 'unclassified' });
  });

  test('a bot that starts with the model has its name as teaser, another one its words in the requested language', async () => {
    const bot = { schemaVersion: 1, type: 'Test', name: 'Concierge' };
    const thanks = { id: 'bye', kind: 'end', text: 'Sorry, nobody is there.' };
    const chat = { id: 'chat', kind: 'llm', mode: 'chat', prompt: 'Greet.', onError: { goto: 'bye' } };
    const chats = await workspace.publish({ ...bot, key: 'chats', steps: [chat, thanks] });
    const text = { en: 'Good day, {{customer.firstName}}!', de: 'Guten Tag, {{customer.firstName}}!' };
    const says = await workspace.publish({
      ...bot,
      key: 'says',
      steps: [{ id: 'hi', kind: 'say', text }, thanks],
    });
    const teaserOf = async (wantedBot: string, query: string) => {
      const customerId = `invited by ${wantedBot}`;
      await workspace.api.post('/customers', { id: customerId, firstName: 'Zebedee' });
      await workspace.api.post('/interactions', { customerId, botId: wantedBot, status: 'Pending' });
      const { api } = await openBrowser(system.local().baseUrl, workspace, customerId);
      return (await api.get<{ teaser: string }>(`/pending${query}`)).body.data?.teaser;
    };
    expect(await teaserOf(chats, '')).toBe('Concierge');
    expect(await teaserOf(says, '?locale=de-AT')).toBe('Guten Tag, Zebedee!');
  });

  test('no log contains the key of the model, a question or an answer', async () => {
    const folder = join(system.dataDir, 'logs');
    const logs = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    const all = logs.join('\n');
    expect(all).toContain('the model answered');
    for (const secret of [modelKey, 'Quillfeather', 'Zebedee']) expect(all).not.toContain(secret);
  });

  /** How often the webhook has received the interaction. */
  function told(id: string): number {
    return receiver.requests.filter(({ body }) => body.toString().includes(id)).length;
  }
}
