import { scopeNames } from '@parley/contracts/scopes';
import { AppError } from '@parley/runtime/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Route } from '../../src/http/server/route.ts';
import { routes } from '../../src/routes.ts';
import { interaction } from '../fakes/interactions.ts';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());
beforeEach(() => {
  surface.services.scopes = scopeNames.filter((name) => name !== 'personal-data:read');
  surface.services.seen.length = 0;
  surface.services.before.clear();
  surface.services.history = [history(known.interactionId)];
});

const workspace = `/v1/workspaces/${known.workspaceId}`;
const list = `${workspace}/interactions?pageSize=50`;
const evaluation = { nps_score: '9', why: 'Late' };
const history = (id: string, version = 1): typeof interaction => ({
  ...interaction,
  id,
  version,
  data: JSON.stringify({
    customer_id: 'c',
    interaction_id: id,
    evaluation,
    transcript: [
      { body: 'Hi Ada', timestamp: 1.5, type: 'bot' },
      { body: 'Hi Ada', timestamp: 2.5, type: 'customer' },
      // Newer than what the interaction service was asked about.
      { body: 'Hi Ada', timestamp: 3.5, type: 'bot' },
    ],
  }),
});
const asked = () =>
  surface.services.seen.filter(({ method }) => /^list(NonPersonalNames|PersonalKeys)$/.test(method));
const dataOf = async (path: string) => {
  const [first] = (await surface.call('GET', path)).envelope().data as { data: string; link: string }[];
  return { link: first?.link, ...(JSON.parse(first?.data ?? '') as object) };
};

test('a key with the scope sees all, and no further call is made', async () => {
  surface.services.scopes = [...scopeNames];
  expect(await dataOf(list)).toMatchObject({ evaluation, transcript: [{ body: 'Hi Ada' }, {}, {}] });
  expect((await surface.call('GET', `${list}&evaluation=why:Late`)).status).toBe(200);
  expect(asked()).toEqual([]);
});

test('a key without it sees the values that the service calls not personal', async () => {
  expect(await dataOf(list)).toMatchObject({
    evaluation: { nps_score: '9', why: '[hidden]' },
    transcript: [
      { body: 'Hi [hidden]', timestamp: 1.5, type: 'bot' },
      { body: '[hidden]', timestamp: 2.5, type: 'customer' },
      { body: '[hidden]', timestamp: 3.5, type: 'bot' },
    ],
  });
  expect(asked()).toMatchObject([
    { request: { workspaceId: known.workspaceId, interactionIds: [known.interactionId] } },
  ]);
  expect((await surface.call('GET', `${list}&evaluation=nps_score:9`)).status).toBe(200);
  const refused = await surface.call('GET', `${list}&evaluation=nps_score:9&evaluation=why:Late`);
  expect(refused.envelope()).toMatchObject({
    code: 403,
    type: 'missing-scope',
    errors: [{ pointer: '/query/evaluation', detail: 'personal-data:read' }],
  });
});

test('each part of a long list is asked for, and the tag differs from that of the whole', async () => {
  const ids = Array.from({ length: 3 }, (_, n) => `${known.interactionId.slice(0, -1)}${n}`);
  // Only the last one has something to hide.
  surface.services.history = ids.map((id, n) =>
    n < 2 ? { ...history(id), data: undefined, context: [] } : history(id),
  );
  const limited = await surface.call('GET', list);
  const items = limited.envelope().data as { id: string; data: string | null }[];
  expect(items.map(({ id }) => id)).toEqual(ids);
  expect(items[2]?.data).not.toContain('Late');
  expect(asked().map(({ request }) => request)).toMatchObject(ids.map((id) => ({ interactionIds: [id] })));
  surface.services.scopes = [...scopeNames];
  const whole = await surface.call('GET', list);
  expect(whole.headers['etag']).not.toBe(limited.headers['etag']);
});

describe('nothing personal is in the answer of', () => {
  const { interactionId } = known;
  const bodies: Record<string, object> = {
    createCustomer: { id: 'c', firstName: 'Ada', email: 'ada@example.com' },
    updateCustomer: { firstName: 'Ada' },
    createInteraction: { customerId: 'c', botKey: 'nps' },
    createInteractions: { interactions: [{ customerId: 'c', botKey: 'nps' }] },
    updateInteraction: { status: 'Pending' },
  };
  const values: Record<string, string> = {
    ...known,
    interactionId,
    customerId: encodeURIComponent(known.customerId),
    deliveryId: interactionId,
    recoveryId: interactionId,
    version: '4',
  };
  const personal = /Hi Ada|"Ada"|ada@example/;
  const readScopes = scopeNames.filter((name) => name.endsWith(':read') && name !== 'personal-data:read');
  const personalOrLink = /Hi Ada|"Ada"|ada@example|Link123/;
  /** Files with a link need its scope, too. */
  const showsLink = new Set(['getInteractionQr', 'getInteractionEmailBlock']);
  const tried = routes.filter(
    ({ access, method, operationId }) => access === 'key' && (method === 'GET' || operationId in bodies),
  );
  const call = ({ method, path, operationId }: Route) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => values[field] ?? field);
    const body = bodies[operationId];
    return surface.call(method, filled, body && { body });
  };

  test.each(tried.map((route) => [route.operationId, route] as const))('%s', async (_, route) => {
    if (route.method === 'GET') surface.services.scopes = readScopes;
    const { status, text } = await call(route);
    const isRefused = route.scope === 'operator' || showsLink.has(route.operationId);
    expect(status).toBe(isRefused ? 403 : 200);
    expect(text).not.toMatch(route.method === 'GET' ? personalOrLink : personal);
  });

  test('these operations, which show it to others', async () => {
    surface.services.scopes = [...scopeNames];
    const open: string[] = [];
    for (const route of tried) {
      if (personalOrLink.test((await call(route)).text)) open.push(route.operationId);
    }
    expect(open.toSorted()).toEqual([
      'createCustomer',
      'createInteraction',
      'createInteractions',
      'exportCustomer',
      'exportInteractions',
      'getCustomer',
      'getInteraction',
      'getInteractionEmailBlock',
      'listCustomers',
      'listInteractions',
      'updateCustomer',
      'updateInteraction',
    ]);
  });
});

describe('if the interaction service', () => {
  const fail = (error: AppError) => {
    for (const method of ['listNonPersonalNames', 'listPersonalKeys']) {
      surface.services.before.set(method, () => {
        throw error;
      });
    }
  };

  test('does not know the methods, all may be personal', async () => {
    fail(new AppError('internal', 'internal', 'there is no such method'));
    expect(await dataOf(list)).toMatchObject({ evaluation: { nps_score: '[hidden]', why: '[hidden]' } });
    expect((await surface.call('GET', `${list}&evaluation=nps_score:9`)).status).toBe(403);
  });

  test('is unavailable, so is the answer', async () => {
    fail(new AppError('unavailable', 'unavailable', 'It is not available'));
    expect((await surface.call('GET', list)).status).toBe(503);
    expect((await surface.call('GET', `${list}&evaluation=nps_score:9`)).status).toBe(503);
  });
});
