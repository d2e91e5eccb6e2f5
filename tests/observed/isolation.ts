import { randomBytes, randomUUID } from 'node:crypto';
import type { System } from '@parley/local/system';
import type { Span } from '@parley/local/traces/otlp';
import { type Api, api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { everythingStored } from '@parley/testing/database/stores';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { anonymise } from '../customers/anonymise.ts';
import { makeSettledLog } from '../webhooks/delivering-workspace.ts';
import { sendHttp } from '../api/http-request.ts';
import { type NamedOperation, operationsOf } from '../api/operations.ts';
import { accessTo, bodyOf, type Names, namesOf, waysOf } from './isolation-ways.ts';
import { linkTokenOf, openLink } from '../conversations/public-sessions.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { browserWith, createConversationWorkspace } from '../conversations/conversation.ts';
import type { Observed } from './system.ts';
import type { TraceCollector } from './trace-collector.ts';

// Calls about another workspace's resources and about missing ones get the same bytes, after the same work. Time is not
// measured: a call's trace has every call between services and every statement, which are compared exactly.

const operations = operationsOf(inject('openapi'));

let collector: TraceCollector;
let system: System;
let baseUrl: string;
/** The owner of the resources, and the caller. */
let theirs: Names;
let own: Names;
/** Missing resources, in the form of the owner's. */
let never: Names;
let caller: { key: string; session: string };
let foreign: { workspace: TestWorkspace; session: string; linkSession: string };
/** The owner's resources. */
let tags: Record<string, string>;
let ownApi: Api;

const isTheirs = (row: string): boolean => row.includes(theirs.workspaceId);
const storedOfTheirs = async (): Promise<string[]> =>
  (await everythingStored(system.local())).filter(isTheirs).toSorted();

async function populate() {
  const customerId = `known-${randomBytes(6).toString('hex')}`;
  const { workspace, browser, create, begin } = await createConversationWorkspace(baseUrl, system.operator);
  const { id: interactionId } = await begin();
  await workspace.api.post('/customers', { id: customerId, firstName: 'Zuzana' });
  const waiting = await create({ customerId });
  const bots = await workspace.api.get<{ id: string }[]>('/bots');
  const botKey = `bot-${randomBytes(6).toString('hex')}`;
  await workspace.publish({ ...(npsBot as object), key: botKey });
  const webhook = await workspace.api.post<{ id: string }>('/webhooks', {
    url: 'http://127.0.0.1:1/',
    secretToken: `token-of-${workspace.id}`,
    isActive: true,
  });
  const sent = await makeSettledLog(workspace.client.webhooks, webhook.body.data.id);
  await workspace.api.post('/customers', { id: 'erased' });
  const erased = await anonymise(workspace, 'erased');
  const invitation = { email: 'zuzana@shop.example', role: 'viewer' };
  const member = await workspace.api.post<{ memberId: string }>('/members/invitations', invitation);
  const portal = await workspace.api.post<{ id: string }>('/webhooks/portal-links', { name: 'Zuzana' });
  const openLinkMade = await workspace.api.post<{ id: string }>(`/bots/${bots.body.data[0]?.id}/open-links`, {
    name: 'Zuzana',
  });
  const token = await workspace.api.post<{ customerToken: string }>('/customers/c/token');
  const names: Names = {
    workspaceId: workspace.id,
    interactionId,
    customerId,
    botId: bots.body.data[0]?.id ?? '',
    version: '2',
    botKey,
    webhookId: webhook.body.data.id,
    ...sent,
    erasureId: erased.id,
    memberId: member.body.data.memberId,
    portalLinkId: portal.body.data.id,
    openLinkId: openLinkMade.body.data.id,
    presenceId: randomUUID(),
    apiKey: workspace.apiKey,
    customerToken: token.body.data.customerToken,
    linkToken: linkTokenOf(waiting),
  };
  return { workspace, browser, names, waiting };
}

async function setUp(observed: Observed): Promise<void> {
  ({ collector, system } = observed);
  ({ baseUrl } = system.local());
  const [first, second] = [await populate(), await populate()];
  theirs = first.names;
  own = { ...second.names, botKey: '', version: '1' };
  const other = (id: string): string => id.slice(0, -12) + randomBytes(6).toString('hex');
  const otherMac = (token: string): string => token.slice(0, -8) + randomBytes(6).toString('base64url');
  // As unknown to a workspace as the kid of another one.
  const otherKid = (token: string): string =>
    [Buffer.from('{"alg":"HS256","kid":"never"}').toString('base64url'), ...token.split('.').slice(1)].join(
      '.',
    );
  never = {
    workspaceId: other(theirs.workspaceId),
    interactionId: other(theirs.interactionId),
    customerId: other(theirs.customerId),
    botId: other(theirs.botId),
    version: '3',
    botKey: other(theirs.botKey),
    webhookId: other(theirs.webhookId),
    deliveryId: other(theirs.deliveryId),
    eventId: other(theirs.eventId),
    recoveryId: other(theirs.recoveryId),
    erasureId: other(theirs.erasureId),
    memberId: other(theirs.memberId),
    portalLinkId: other(theirs.portalLinkId),
    openLinkId: other(theirs.openLinkId),
    presenceId: other(theirs.presenceId),
    apiKey: other(theirs.apiKey),
    customerToken: otherKid(theirs.customerToken),
    linkToken: otherMac(theirs.linkToken),
  };
  const { workspace } = second;
  ownApi = workspace.api;
  caller = {
    key: basic(workspace.apiKey, workspace.apiSecret),
    session: `Bearer ${second.browser.sessionToken}`,
  };
  const link = await openLink(baseUrl, theirs.linkToken);
  const tagOf = async (path: string) => (await first.workspace.api.get(path)).headers.get('etag') ?? '';
  foreign = {
    workspace: first.workspace,
    session: `Bearer ${first.browser.sessionToken}`,
    linkSession: `Bearer ${link.body.data.sessionToken}`,
  };
  tags = {
    interactionId: await tagOf(`/interactions/${theirs.interactionId}`),
    customerId: await tagOf(`/customers/${theirs.customerId}`),
    webhookId: await tagOf(`/webhooks/${theirs.webhookId}`),
  };
}

interface Sent {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  /** Finds the trace of the call. Callers without a valid credential cannot choose its id. */
  requestId: string;
}

/** Makes one call, by default with the credential of the operation. */
async function send(
  operation: NamedOperation,
  names: Names,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> },
): Promise<Sent> {
  const requestId = randomUUID();
  const { path, method } = operation;
  const body = bodyOf(operation, names);
  const access = accessTo(operation);
  const authorization = access === 'key' ? caller.key : access === 'session' && caller.session;
  const answer = await sendHttp(baseUrl, {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Names) => names[name]) + query,
    headers: {
      ...(authorization && { authorization }),
      ...(body && { 'content-type': 'application/json' }),
      'x-request-id': requestId,
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // All but the time, the count of earlier calls, and the id.
  const { date: _date, ratelimit: _count, 'x-request-id': _id, ...fields } = answer.headers;
  const text = answer.text.replaceAll(requestId, 'the-same-for-all');
  return { status: answer.status, headers: fields, text, requestId };
}

/** Returns statements and calls between services, without the check of the key, which may be cached. */
function workOf(spans: readonly Span[]): string[] {
  const isPartOfCheck = ({ name, parentSpanId }: Span): boolean => {
    const parent = spans.find(({ spanId }) => spanId === parentSpanId);
    // Processes read the keys of grants again each minute, in whichever call comes then.
    const isCheck = name.endsWith('/Authenticate') || name.endsWith('/ListGrantKeys');
    return isCheck || (parent !== undefined && isPartOfCheck(parent));
  };
  return spans
    .filter((span) => !isPartOfCheck(span))
    .map(({ service, kind, name, attributes }) =>
      [service, kind, name, attributes['db.query.text'] ?? ''].join(' '),
    )
    .toSorted();
}

/** Resolves when the spans of all answered calls have arrived: a process sends them in order. */
async function allExported(): Promise<void> {
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  for (const path of ['', '/customers', '/interactions', '/webhooks', `/bots/${own.botId}/insight`]) {
    expect((await ownApi.get(path, headers)).status).toBe(200);
  }
  await eventually(() => {
    const spans = collector.spans().filter((span) => span.traceId === traceId && span.kind === 'server');
    expect(new Set(spans.map((span) => span.service)).size).toBe(6);
    expect(spans.filter((span) => span.parentSpanId !== undefined).length).toBeGreaterThanOrEqual(8);
  });
}

export function isolationTests(observed: () => Observed): void {
  beforeAll(() => setUp(observed()));

  test('the walk covers every way in which an operation names resources', () => {
    for (const operation of operations) {
      expect([operation.operationId, Object.keys(theirs)]).toEqual([
        operation.operationId,
        expect.arrayContaining(namesOf(operation)),
      ]);
    }
    expect(operations.flatMap(namesOf)).toEqual(
      expect.arrayContaining(['customerId', 'botId', 'botKey', 'interactionId', 'eventId', 'customerToken']),
    );
  });

  test('another workspace’s resources are answered like missing ones, after the same work, and stay unchanged', async () => {
    const before = await storedOfTheirs();
    expect(before.length).toBeGreaterThan(10);
    const walked: { name: string; foreign: Sent; unknown: Sent }[] = [];
    for (const operation of operations) {
      for (const [name, way] of Object.entries(waysOf(operation, { theirs, own, never, tags }))) {
        const options = (names: Names) => ({ query: way.query?.(names) ?? '', headers: way.headers ?? {} });
        const one = await send(operation, way.foreign, options(way.foreign));
        const other = await send(operation, way.unknown, options(way.unknown));
        walked.push({ name: `${operation.operationId}: ${name}`, foreign: one, unknown: other });
      }
    }
    expect(walked.length).toBeGreaterThan(100);
    for (const { name, foreign: one, unknown } of walked) {
      const seen = ({ status, headers, text }: Sent) => ({ name, status, headers, text });
      expect(seen(one)).toEqual(seen(unknown));
      // Items of a bulk call have errors of their own.
      // An unknown interaction has no deliveries.
      const isAnswered =
        /^(?:list|export|createInteractions).* named/.test(name) ||
        name.startsWith('listInteractionDeliveries: their interactionId');
      expect(one.status, name).toBeOneOf(isAnswered ? [200] : [400, 401, 403, 404]);
    }
    await allExported();
    const spans = collector.spans();
    const traces = Map.groupBy(spans, ({ traceId }) => traceId);
    const traceIds = new Map(spans.map((span) => [span.attributes['parley.request.id'], span.traceId]));
    const spansOf = ({ requestId }: Sent) => traces.get(traceIds.get(requestId) ?? '') ?? [];
    for (const { name, foreign: one, unknown } of walked) {
      const work = workOf(spansOf(unknown));
      expect([name, workOf(spansOf(one))]).toEqual([name, work]);
      expect(work.length, name).toBeGreaterThan(0);
    }
    expect(await storedOfTheirs()).toEqual(before);
  });

  describe('credentials of another workspace', () => {
    test.each(['session', 'linkSession'] as const)(
      'the %s of another workspace is rejected',
      async (kind) => {
        const before = await storedOfTheirs();
        const headers = { authorization: foreign[kind] };
        for (const operation of operations.filter((one) => accessTo(one) === 'session')) {
          const [at, nowhere] = [
            { ...theirs, workspaceId: own.workspaceId },
            { ...theirs, workspaceId: never.workspaceId },
          ];
          const { requestId: _own, ...one } = await send(operation, at, { headers });
          const { requestId: _none, ...unknown } = await send(operation, nowhere, { headers });
          expect([operation.operationId, one.status, one]).toEqual([operation.operationId, 404, unknown]);
        }
        expect(await storedOfTheirs()).toEqual(before);
      },
    );

    test('a session reaches only the interactions of its link or customer, also in its own workspace', async () => {
      const browser = browserWith(baseUrl, theirs.workspaceId, foreign.linkSession.slice('Bearer '.length));
      const [one, unknown] = [
        await browser.look(theirs.interactionId),
        await browser.look(never.interactionId),
      ];
      expect([one.status, unknown.status]).toEqual([404, 404]);
    });

    test('a key for several workspaces reaches only those, and in each only its own resources', async () => {
      const home = await createWorkspace(baseUrl, system.operator, { accessIds: [own.workspaceId] });
      const calls = api(`${baseUrl}/v1/workspaces`, basic(home.apiKey, home.apiSecret));
      const listed = await calls.get<{ id: string }[]>('');
      expect(listed.body.data.map(({ id }) => id).toSorted()).toEqual([home.id, own.workspaceId].toSorted());
      const path = `/interactions/${own.interactionId}`;
      expect((await calls.get(`/${own.workspaceId}${path}`)).status).toBe(200);
      expect((await calls.get(`/${home.id}${path}`)).status).toBe(404);
      expect((await calls.get(`/${theirs.workspaceId}/interactions/${theirs.interactionId}`)).status).toBe(
        404,
      );
      const made = { customerId: 'c', botId: own.botId };
      expect((await calls.post(`/${home.id}/interactions`, made)).status).toBe(400);
    });
  });

  describe('ids chosen by the client are separate in each workspace', () => {
    test('a customer: a new one is created, empty, and the other keeps its details', async () => {
      const before = await storedOfTheirs();
      const { customerId } = theirs;
      const created = await ownApi.post('/interactions', { customerId, botId: own.botId });
      expect(created.status).toBe(200);
      const read = await ownApi.get(`/customers/${customerId}`);
      expect(read.body.data).toMatchObject({ firstName: '', lastName: '', interactions: [{ customerId }] });
      expect((await ownApi.post(`/customers/${customerId}/anonymise`)).status).toBe(200);
      expect(await storedOfTheirs()).toEqual(before);
    });

    test('a customer of a bulk call: its details are set in the own workspace only', async () => {
      const before = await storedOfTheirs();
      const item = { customerId: theirs.customerId, botId: own.botId, customer: { firstName: 'Eva' } };
      const created = await ownApi.post('/interactions/bulk', { interactions: [item] });
      expect(created.body.data).toMatchObject([{ interaction: { customerId: theirs.customerId } }]);
      expect(await storedOfTheirs()).toEqual(before);
    });

    test('an Idempotency-Key and the secret token of a webhook', async () => {
      const key = { 'idempotency-key': 'the-same-in-both' };
      const make = (calls: Api) =>
        calls.post<{ id: string }>('/customers', { id: 'twice', firstName: 'Eva' }, key);
      const [one, other] = [await make(foreign.workspace.api), await make(ownApi)];
      expect([one.status, other.status]).toEqual([200, 200]);
      expect(other.headers.get('idempotency-replayed')).toBeNull();
      const secretToken = `token-of-${theirs.workspaceId}`;
      const webhook = await ownApi.post('/webhooks', {
        url: 'http://127.0.0.1:1/',
        secretToken,
        isActive: false,
      });
      expect(webhook.status).toBe(200);
    });
  });
}
