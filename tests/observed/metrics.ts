import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { databaseServices } from '@parley/contracts/services';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageOfProduct from '../../package.json' with { type: 'json' };
import { messageTo, openBrowser } from '../conversations/conversation.ts';
import { documentedMetrics } from '../documents/metrics.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { parseMetrics, type Sample } from './metrics-text.ts';
import type { Observed } from './system.ts';

const stack = new AsyncDisposableStack();
const documented = new Map(documentedMetrics().map((metric) => [metric.name, metric]));
const customerId = 'quillfeather';
let system: System;
let workspace: TestWorkspace;
let receiver: Receiver;
let botId: string;
let interactionId: string;
let link: string;

async function setUp(observed: Observed): Promise<void> {
  ({ system } = observed);
  workspace = await createWorkspace(system.local().baseUrl, system.operator);
  receiver = stack.use(await startReceiver());
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'a-secret-token', isActive: true });
  botId = await workspace.publish(npsBot);
  const wanted = { customerId, botId, status: 'Pending' };
  const created = await workspace.api.post<{ id: string; link: string }>('/interactions', wanted);
  ({ id: interactionId, link } = created.body.data);
  await completeWithModel();
  await makeFaultyCalls();
  const { data: draft } = (await workspace.api.post<{ id: string }>('/interactions', { customerId, botId }))
    .body;
  await workspace.api.delete(`/interactions/${draft.id}`);
}

async function completeWithModel(): Promise<void> {
  const browser = await openBrowser(system.local().baseUrl, workspace, customerId);
  const first = await browser.say(interactionId, await browser.start(interactionId), { value: 8 });
  await browser.api.post(`/conversations/${interactionId}/messages`, messageTo(first, { text: 'dear' }));
  await eventually(() => expect(receiver.requests).toHaveLength(1));
}

/** Calls with words of the client's in every place that could become a label. */
async function makeFaultyCalls(): Promise<void> {
  const { baseUrl } = system.local();
  await fetch(`${baseUrl}/v1/${randomUUID()}/nowhere`);
  await fetch(`${baseUrl}/interactions/${link.split('/').at(-1)}`);
  await fetch(`${baseUrl}/v1/workspaces`, { headers: { authorization: `Basic ${btoa('someone:secret')}` } });
  await workspace.api.patch(`/interactions/${interactionId}`, { status: 'Completed' });
  await workspace.api.get(`/customers/${customerId}-unknown`);
  await rawRequest(baseUrl, 'PROPFIND /v1/workspaces HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await rawRequest(baseUrl, 'GET /v1/workspaces HTTP/1.1\r\nHost: two words\r\n\r\n');
}

async function rawRequest(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  return text(socket);
}

/** Returns what each process serves now, by the name of the process. */
async function scrape(accept = 'text/plain'): Promise<Map<string, string>> {
  const scraped = system
    .local()
    .processes.flatMap(({ name, metricsUrl }) => (metricsUrl ? [{ name, metricsUrl }] : []));
  const texts = scraped.map(async ({ name, metricsUrl }) => {
    const response = await fetch(metricsUrl, { headers: { accept } });
    return [name, await response.text()] as const;
  });
  return new Map(await Promise.all(texts));
}

async function samplesOf(name: string): Promise<Sample[]> {
  return parseMetrics((await scrape()).get(name) ?? '').samples;
}

export function metricsTests(observed: () => Observed): void {
  beforeAll(() => setUp(observed()));
  afterAll(() => stack.disposeAsync());

  test('all processes serve metrics, which have the name and version of each', async () => {
    const texts = await scrape();
    const names = [...databaseServices, 'gateway-1', 'gateway-2'];
    expect([...texts.keys()].toSorted()).toEqual(names.toSorted());
    for (const [name, served] of texts) {
      const target = parseMetrics(served).samples.find((sample) => sample.name === 'target_info');
      expect(target?.labels).toMatchObject({
        service_name: `parley-${name.replace(/-\d$/, '')}`,
        service_version: packageOfProduct.version,
        service_instance_id: expect.any(String),
      });
    }
  });

  test('each documented metric is served, and each served metric is documented with its type and labels', async () => {
    const seen = new Set<string>();
    await eventually(
      async () => {
        for (const served of (await scrape()).values()) {
          const { types, samples } = parseMetrics(served);
          for (const [name, type] of types) {
            if (name === 'target_info') continue;
            expect([name, documented.get(name)?.kind]).toEqual([name, type]);
            seen.add(name);
          }
          for (const { family, labels } of samples) {
            if (family === 'target_info') continue;
            const known = ['le', ...(documented.get(family)?.labels ?? [])];
            expect([family, Object.keys(labels).filter((label) => !known.includes(label))]).toEqual([
              family,
              [],
            ]);
          }
        }
        expect([...documented.keys()].filter((name) => !seen.has(name))).toEqual([]);
      },
      { everyMs: 500 },
    );
  });

  test('no label has an id, a token or text of a client', async () => {
    const values = new Set<string>();
    for (const served of (await scrape()).values()) {
      for (const { name, labels } of parseMetrics(served).samples) {
        if (name !== 'target_info') for (const value of Object.values(labels)) values.add(value);
      }
    }
    expect(values.size).toBeGreaterThan(30);
    const { apiKey, apiSecret, workspaceId } = system.local();
    const secrets = [
      apiKey,
      apiSecret,
      workspaceId,
      interactionId,
      customerId,
      String(link.split('/').at(-1)),
    ];
    for (const value of values) {
      expect(value).not.toMatch(/[\da-f]{8}-[\da-f]{4}|nowhere|someone|PROPFIND|two words|127\.0\.0\.1/);
      for (const secret of secrets) expect(value).not.toContain(secret);
    }
  });

  test('requests have the pattern of their path, a known method and their status; errors have their slug', async () => {
    const samples = await samplesOf('gateway-1');
    const requests = samples.filter(({ name }) => name === 'http_server_request_duration_seconds_count');
    const ofRequests = requests.map(({ labels }) =>
      [labels['http_request_method'], labels['http_route'], labels['http_response_status_code']].join(' '),
    );
    expect(ofRequests).toEqual(
      expect.arrayContaining([
        'POST /v1/workspaces/{workspaceId}/interactions 200',
        'POST /public/v1/workspaces/{workspaceId}/conversations/{interactionId}/messages 200',
        'GET /v1/workspaces/{workspaceId}/customers/{customerId} 404',
        'GET /v1/workspaces 401',
        'GET /interactions/:token 200',
        'GET * 404',
        '_OTHER /v1/workspaces 405',
      ]),
    );
    expect(ofRequests.filter((one) => one.includes('z '))).toEqual([]);
    const errors = samples.filter(({ name }) => name === 'parley_gateway_errors_total');
    const causes = errors.map(({ labels }) => `${labels['http_response_status_code']} ${labels['type']}`);
    expect(causes).toEqual(
      expect.arrayContaining([
        '401 invalid-credentials',
        '404 not-found',
        '404 unknown-route',
        '405 method-not-allowed',
        '400 malformed-request',
      ]),
    );
    const bounds = samples.filter(({ name }) => name === 'http_server_request_duration_seconds_bucket');
    expect(new Set(bounds.map(({ labels }) => labels['le']))).toEqual(
      new Set(
        ['0.005', '0.01', '0.025', '0.05', '0.075', '0.1', '0.25', '0.3', '0.5', '0.75'].concat([
          '1.0',
          '2.5',
          '5.0',
          '7.5',
          '10.0',
          '+Inf',
        ]),
      ),
    );
  });

  test('calls, deliveries and the model are measured', async () => {
    const webhook = await samplesOf('webhook');
    const first = webhook.find(({ name }) => name === 'parley_webhook_first_attempt_delay_seconds_count');
    expect(first).toMatchObject({ labels: { responsive: 'true' }, value: 1 });
    const delay = webhook.find(({ name }) => name === 'parley_webhook_first_attempt_delay_seconds_sum');
    expect(delay?.value).toBeLessThan(30);
    expect(webhook).toContainEqual(
      expect.objectContaining({ name: 'parley_consumer_lag', labels: { durable: 'webhook' }, value: 0 }),
    );
    const interaction = await samplesOf('interaction');
    const methods = interaction.flatMap(({ name, labels }) =>
      name === 'rpc_server_call_duration_seconds_count' ? [labels['rpc_method']] : [],
    );
    expect(methods).toContain('parley.interaction.v1.InteractionService/CreateInteraction');
    expect(methods).not.toContain('grpc.health.v1.Health/Check');
    expect(
      interaction.find(({ name }) => name === 'gen_ai_client_operation_duration_seconds_count'),
    ).toMatchObject({
      labels: { gen_ai_operation_name: 'chat', gen_ai_request_model: 'model-of-a-test' },
      value: 1,
    });
  });

  test('an open long poll counts until it ends', async () => {
    const openPolls = async (): Promise<number | undefined> =>
      (await samplesOf('gateway-1')).find(({ name }) => name === 'parley_gateway_polls_open')?.value;
    const wanted = { customerId: 'waits', botId, status: 'Pending' };
    const { id } = (await workspace.api.post<{ id: string }>('/interactions', wanted)).body.data;
    const browser = await openBrowser(system.local().baseUrl, workspace, 'waits');
    const { seq } = await browser.start(id);
    const polling = browser.look(id, `?after=${seq}&wait=2`);
    await eventually(async () => expect(await openPolls()).toBe(1));
    await polling;
    expect(await openPolls()).toBe(0);
  });

  test('OpenMetrics has the sampled trace of a request as an exemplar, in gateway and service', async () => {
    const traceId = randomBytes(16).toString('hex');
    const sampled = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
    await workspace.api.post('/interactions', { customerId, botId, status: 'Pending' }, sampled);
    const served = await scrape(
      'application/openmetrics-text; version=1.0.0; charset=utf-8, text/plain;q=0.5',
    );
    for (const name of ['gateway-1', 'interaction']) {
      const exemplars = (served.get(name) ?? '')
        .split('\n')
        .filter((line) => line.includes(`trace_id="${traceId}"`));
      const metric = name === 'gateway-1' ? 'http_server_request' : 'rpc_server_call';
      expect(exemplars).toContainEqual(
        expect.stringMatching(
          new RegExp(`^${metric}_duration_seconds_bucket\\{.*\\} \\d+ # \\{.*\\} [\\d.e-]+ \\d{10}`),
        ),
      );
      expect(served.get(name)).toMatch(/\n# EOF\n$/);
    }
  });

  test('interactions are counted by type when they are created, start, complete and expire', async () => {
    const type = 'Counted';
    const counted = await workspace.publish({ ...(npsBot as object), key: 'counted', type });
    const counts = async (): Promise<Record<string, number>> => {
      const samples = (await samplesOf('interaction')).filter(
        ({ name, labels }) => name === 'parley_interactions_total' && labels['interaction_type'] === type,
      );
      return Object.fromEntries(samples.map(({ labels, value }) => [labels['event'], value]));
    };
    const create = async (body: object) => {
      const wanted = { customerId: 'counted', botId: counted, ...body };
      return (await workspace.api.post<{ id: string }>('/interactions', wanted)).body.data.id;
    };
    const answered = await create({ status: 'Pending' });
    const browser = await openBrowser(system.local().baseUrl, workspace, 'counted');
    await browser.say(answered, await browser.say(answered, await browser.start(answered), { value: 10 }), {
      skip: true,
    });
    await workspace.api.patch(`/interactions/${await create({ status: 'InProgress' })}`, {
      status: 'Expired',
    });
    const imported = await create({ status: 'Completed' });
    await workspace.api.patch(`/interactions/${imported}`, { priority: 'High' });
    await create({ status: 'Pending' });
    expect(await counts()).toEqual({ created: 4, started: 2, completed: 1, expired: 1 });
    // The anonymisation expires the open one.
    await workspace.api.post('/customers/counted/anonymise');
    expect(await counts()).toEqual({ created: 4, started: 2, completed: 1, expired: 2 });
  });

  test('neither port serves what belongs to the other', async () => {
    const { baseUrl, processes } = system.local();
    expect((await fetch(`${baseUrl}/metrics`)).status).toBe(404);
    const { metricsUrl = '' } = processes.find(({ name }) => name === 'gateway-1') ?? {};
    expect((await fetch(new URL('/', metricsUrl))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405);
  });
}
