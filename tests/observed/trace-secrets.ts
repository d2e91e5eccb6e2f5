import type { System } from '@parley/local/system';
import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';
import { browserWith } from '../conversations/conversation.ts';
import type { Observed } from './system.ts';
import { newTrace, type TraceCollector } from './trace-collector.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Tests of what traces do not have, and of who cannot begin one. */
export function traceSecretTests(observed: () => Observed): void {
  const stack = new AsyncDisposableStack();
  let collector: TraceCollector;
  let system: System;
  let workspace: TestWorkspace;
  let receiver: Receiver;
  let botId: string;
  beforeAll(async () => {
    ({ collector, system } = observed());
    workspace = await createWorkspace(system.local().baseUrl, system.operator);
    receiver = stack.use(await startReceiver());
    const hook = { url: receiver.url, secretToken: 'a-secret-token', isActive: true };
    await workspace.api.post('/webhooks', hook);
    botId = await workspace.publish(npsBot);
  });
  afterAll(() => stack.disposeAsync());

  test('callers without a valid credential decide neither about sampling nor about trace ids', async () => {
    const { baseUrl } = system.local();
    const { traceId, headers } = newTrace();
    const large = { tracestate: `a=${'x'.repeat(4_000)}`, baggage: `b=${'x'.repeat(4_000)}` };
    const wrong = `Basic ${btoa(`${workspace.apiKey}:prl_sec_${'0'.repeat(32)}`)}`;
    const inWorkspace = `/v1/workspaces/${workspace.id}`;
    const forged: [path: string, method?: string, authorization?: string][] = [
      [`${inWorkspace}/customers`],
      [`${inWorkspace}/customers`, 'GET', wrong],
      [`${inWorkspace}/customers`, 'POST', 'Basic !'],
      [`/public${inWorkspace}/pending`, 'GET', 'Bearer a.b.c'],
      [`/public${inWorkspace}/sessions`, 'POST'],
      ['/public/v1/link-sessions', 'OPTIONS'],
      ['/interactions/no-link'],
      ['/v1/nowhere'],
      ['/docs'],
    ];
    for (const [path, method = 'GET', authorization] of forged) {
      await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...large, ...(authorization && { authorization }) },
      });
    }
    const own = newTrace();
    expect((await workspace.api.get('/customers', { ...own.headers, ...large })).status).toBe(200);
    // Each process exports in order: once this call has arrived, earlier ones have too.
    await eventually(() => {
      const names = collector.spans().flatMap((span) => (span.traceId === own.traceId ? [span.service] : []));
      expect(names).toEqual(expect.arrayContaining(['parley-gateway', 'parley-customer']));
    });
    expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([]);
    expect(collector.text()).not.toContain('x'.repeat(100));
  });

  test('no span contains a secret, a token or personal data', async () => {
    const { baseUrl } = system.local();
    const secrets: Record<string, string | undefined> = {
      apiSecret: workspace.apiSecret,
      operatorToken: system.operator.operatorToken,
      secretToken: 'a-secret-token',
      wrongSecret: 'prl_sec_wrong',
      email: 'anna@personal.example',
      lastName: 'Nováková',
      answer: 'a very personal answer',
    };
    const { api: own } = workspace;
    const wrong = api(`${baseUrl}/v1`, `Basic ${btoa(`${workspace.apiKey}:${secrets['wrongSecret']}`)}`);
    expect((await wrong.get('/workspaces')).status).toBe(401);

    const customer = {
      id: 'anna',
      firstName: 'Anna',
      lastName: secrets['lastName'],
      email: secrets['email'],
    };
    expect((await own.post('/customers', customer)).status).toBe(200);
    const token = await own.post<{ customerToken: string }>('/customers/anna/token');
    secrets['customerToken'] = token.body.data.customerToken;
    const wanted = { customerId: 'anna', botId, status: 'Pending' };
    const interaction = await own.post<{ id: string; link: string }>('/interactions', wanted);
    const { id, link } = interaction.body.data;
    secrets['linkToken'] = link.slice(link.lastIndexOf('/') + 1);
    expect((await fetch(link)).status).toBe(200);
    const anyone = api(`${baseUrl}/public/v1`, undefined);
    const opened = await anyone.post<{ sessionToken: string }>('/link-sessions', {
      token: secrets['linkToken'],
    });
    secrets['sessionToken'] = opened.body.data.sessionToken;
    const browser = browserWith(baseUrl, workspace.id, opened.body.data.sessionToken);
    const asked = await browser.say(id, await browser.start(id), { value: 10 });
    await browser.say(id, asked, { text: String(secrets['answer']) });

    const hook = { url: `${receiver.url}?key=in-the-url`, secretToken: 'another-secret-token' };
    const { body: made } = await own.post<{ id: string }>('/webhooks', hook);
    const rotation = await own.post<{ signingSecret: string }>(`/webhooks/${made.data.id}/secret/rotate`);
    Object.assign(secrets, { ...hook, signingSecret: rotation.body.data.signingSecret });
    const sdk = await own.post<{ secret: string }>('/sdk-secret/rotate');
    secrets['sdkSecret'] = sdk.body.data.secret;
    const rotated = await own.post<{ secret: string }>('/apikeys/rotate');
    secrets['rotatedSecret'] = rotated.body.data.secret;

    await eventually(() => expect(receiver.requests.at(-1)?.body.toString()).toContain(id));

    // Each process exports in order: once the spans of these calls have arrived, the spans of the other calls have too.
    const { traceId, headers } = newTrace();
    const rotatedApi = api(
      `${baseUrl}/v1/workspaces/${workspace.id}`,
      basic(workspace.apiKey, rotated.body.data.secret),
    );
    for (const path of ['/customers/anna', '/webhooks', '/branding'])
      expect((await rotatedApi.get(path, headers)).status).toBe(200);
    await eventually(() => {
      const spans = collector.spans().filter((span) => span.traceId === traceId && span.kind === 'server');
      const services = new Set(spans.map(({ service }) => service));
      expect([...services].toSorted()).toEqual(
        ['customer', 'gateway', 'identity', 'interaction', 'webhook'].map((name) => `parley-${name}`),
      );
    });
    const exported = collector.text();
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).toBeTruthy();
      for (const form of [String(secret), encodeURIComponent(String(secret)), base64(String(secret))]) {
        expect(exported.includes(form), `${name} is in a span`).toBe(false);
      }
    }
    expect(exported).not.toContain('Basic ');
    expect(exported).not.toContain('Bearer ');
  });
}
