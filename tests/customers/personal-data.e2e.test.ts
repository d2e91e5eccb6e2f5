import { detailNames, perDetail } from '@parley/contracts/customer-details';
import { type Scope, scopeNames } from '@parley/contracts/scopes';
import { basic } from '@parley/testing/api';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { callsIn, type CreatedKey, createKey, missingScopes } from '../people/limited-keys.ts';
import { createMarkedWorkspace, marks } from './marked-workspace.ts';
import { accessTo, bodyOf } from '../observed/isolation-ways.ts';
import { type NamedOperation, operationsOf, requiredQuery } from '../api/operations.ts';

// Contract 2, section 12: a key without `personal-data:read` gets `[hidden]` in place of personal data, everywhere.

const { baseUrl } = inject('local');
const personal: Scope = 'personal-data:read';
const others = scopeNames.filter((name) => name !== personal);

type Marked = Awaited<ReturnType<typeof createMarkedWorkspace>>;
let marked: Marked;
let limited: CreatedKey;
let full: CreatedKey;
/** As limited as the first. */
let equal: CreatedKey;

beforeAll(async () => {
  marked = await createMarkedWorkspace(baseUrl, inject('operator'));
  [limited, equal] = [await createKey(marked.workspace, others), await createKey(marked.workspace, others)];
  full = await createKey(marked.workspace, scopeNames);
});
afterAll(() => marked.receiver[Symbol.asyncDispose]());

const callsOf = (key: CreatedKey) => callsIn(baseUrl, marked.workspace.id, key);

/** The words of all personal data. */
const words = (): string[] => Object.values(marks).map((text) => /mark\w+/i.exec(text)?.[0] ?? text);

async function textOf(key: CreatedKey, path: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/workspaces/${marked.workspace.id}${path}`, {
    headers: { authorization: basic(key.apiKey, key.secret) },
  });
  expect(answer.status, path).toBe(200);
  return answer.text();
}

const hiddenDetails = perDetail(() => '[hidden]');
const hiddenContext = [
  { key: 'street', value: '[hidden]' },
  { key: 'product', value: 'coffee' },
];
const hiddenEvaluation = { score: '9', reason: '[hidden]', habit: '[hidden]', greeting: '[hidden]' };

interface Shown {
  id: string;
  link: string;
  data: string | null;
  context: unknown;
}

describe('a key without the scope', () => {
  test('sees the evaluation of keys that are not personal, and how much was said and when', async () => {
    const path = `/interactions/${marked.names.interactionId}`;
    const whole = (await callsOf(full).get<Shown>(path)).body.data;
    const { data } = (await callsOf(limited).get<Shown>(path)).body;
    expect(data).toEqual({
      ...whole,
      context: hiddenContext,
      data: expect.any(String),
    });
    const history = JSON.parse(whole.data ?? '') as { transcript: { type: string }[] };
    const words = ['Hello [hidden] of [hidden]', 'How much?', 'Why?', 'Which?', 'Where?', 'Thank you'];
    const asked = words.values();
    expect(JSON.parse(data.data ?? '')).toEqual({
      ...history,
      evaluation: hiddenEvaluation,
      transcript: history.transcript.map((entry) => ({
        ...entry,
        body: entry.type === 'bot' ? asked.next().value : '[hidden]',
      })),
    });
  });

  test('sees the shape of exports', async () => {
    const { botId } = marked.names;
    const lines = (await textOf(limited, '/interactions/export')).trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      data: { evaluation: hiddenEvaluation },
      context: hiddenContext,
    });
    const [header, first] = (await textOf(limited, `/interactions/export?format=csv&botId=${botId}`)).split(
      '\r\n',
    );
    expect(header).toMatch(/,score,reason,habit,greeting$/);
    expect(first).toMatch(/,9,\[hidden\],\[hidden\],\[hidden\]$/);
    const subject = await callsOf(limited).get('/customers/c/export');
    expect(subject.body.data).toMatchObject({
      customer: { id: 'c', ...hiddenDetails },
      interactions: [
        {
          context: hiddenContext,
          evaluation: hiddenEvaluation,
          conversation: {
            customer: { id: 'c', ...hiddenDetails },
            answers: { score: '[hidden]', reason: '[hidden]', habit: '[hidden]', contact: '[hidden]' },
          },
        },
      ],
    });
  });

  test('gets hidden values from changes, too', async () => {
    const calls = callsOf(limited);
    const made = await calls.post('/customers', { id: 'new', firstName: marks.firstName });
    expect(made.body.data).toEqual({ id: 'new', ...hiddenDetails, interactions: [] });
    const changed = await calls.patch('/customers/new', { email: marks.email });
    expect(changed.body.data).toMatchObject(hiddenDetails);
    const created = await calls.post<Shown>('/interactions', { ...marked.creation, customerId: 'new' });
    expect(created.body.data).toMatchObject({ data: null, context: hiddenContext });
    const ended = await calls.patch(`/interactions/${created.body.data.id}`, { status: 'Expired' });
    expect(ended.body.data).toMatchObject({ status: 'Expired', context: hiddenContext });
    const bulk = await calls.post('/interactions/bulk', { interactions: [marked.creation] });
    expect(bulk.body.data).toMatchObject([{ index: 0, interaction: { context: hiddenContext } }]);
  });

  test('cannot search by it', async () => {
    const queries: [path: string, pointer: string][] = [
      [`/customers?q=${marks.firstName}`, '/query/q'],
      ...['/interactions', '/interactions/export'].flatMap((path) =>
        ['', '&botKey=marked', `&botId=${marked.names.botId}`].flatMap((bot): [string, string][] => [
          [`${path}?evaluation=habit:tea${bot}`, '/query/evaluation'],
          [`${path}?evaluation=score:9&evaluation=greeting:x${bot}`, '/query/evaluation'],
        ]),
      ),
    ];
    for (const [path, pointer] of queries) {
      const { body } = await callsOf(limited).get(path);
      expect([path, body]).toEqual([path, expect.objectContaining(missingScopes([pointer, personal]))]);
      await textOf(full, path);
    }
    const { body } = await callsOf(limited).get<Shown[]>('/interactions?evaluation=score:9');
    expect(body.data.map(({ id }) => id)).toEqual([marked.names.interactionId]);
    const none = await callsOf(limited).get('/interactions?evaluation=undeclared:9&botKey=nowhere');
    expect(none.body.data).toEqual([]);
  });

  test('sees links if it can create interactions', async () => {
    const path = `/interactions/${marked.names.interactionId}`;
    const { link } = (await callsOf(full).get<Shown>(path)).body.data;
    expect((await callsOf(limited).get<Shown>(path)).body.data.link).toBe(link);
  });

  test('has ETags of its own, which make requests conditional', async () => {
    for (const path of [
      '/customers/c',
      `/interactions/${marked.names.interactionId}`,
      '/customers/c/export',
    ]) {
      const tagOf = async (key: CreatedKey) => (await callsOf(key).get(path)).headers.get('etag') ?? '';
      const [mine, theirs] = [await tagOf(limited), await tagOf(full)];
      expect([path, mine]).not.toEqual([path, theirs]);
      const statusOf = async (tag: string) =>
        (await callsOf(limited).get(path, { 'if-none-match': tag })).status;
      expect([path, await statusOf(mine), await statusOf(theirs)]).toEqual([path, 304, 200]);
    }
    const tag = (await callsOf(limited).get('/customers/c')).headers.get('etag') ?? '';
    const change = { lastName: `${marks.lastName} Two` };
    expect((await callsOf(limited).patch('/customers/c', change, { 'if-match': tag })).status).toBe(200);
    expect((await callsOf(limited).patch('/customers/c', change, { 'if-match': tag })).status).toBe(412);
  });
});

test('a replay shows what the key may see now', async () => {
  const key = await createKey(marked.workspace, scopeNames);
  const replay = { 'idempotency-key': 'again' };
  const post = () => callsOf(key).post<Shown>('/interactions', marked.creation, replay);
  const made = await post();
  expect(made.body.data).toMatchObject({ context: marked.creation.context });
  await marked.workspace.api.patch(`/apikeys/${key.apiKey}`, { scopes: others });
  const again = await post();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body.data).toEqual({ ...made.body.data, context: hiddenContext });
});

test('a key with the scope sees all of it', async () => {
  const { interactionId, webhookId, deliveryId, linkToken, botId } = marked.names;
  const said = [marks.reason, marks.contact, marks.firstName];
  const person = detailNames.map((name) => marks[name]);
  const expected: Record<string, string[]> = {
    '/customers/c': [...person, ...said, linkToken],
    '/customers?q=markl': person,
    '/customers?ids=nobody,c': person,
    '/customers/c/export': [...person, ...said, marks.street],
    [`/interactions/${interactionId}`]: [...said, marks.street, linkToken],
    '/interactions': [...said, marks.street, linkToken],
    '/interactions/export': [...said, marks.street, linkToken],
    [`/interactions/export?format=csv&botId=${botId}`]: [marks.reason, `To ${marks.lastName}`],
    [`/webhooks/${webhookId}/deliveries/${deliveryId}/attempts`]: [marks.receiver],
    [`/webhooks/${webhookId}/deliveries/${deliveryId}/body`]: said,
  };
  for (const [path, texts] of Object.entries(expected)) {
    const text = await textOf(full, path);
    for (const one of texts) expect([path, text]).toEqual([path, expect.stringContaining(one)]);
  }
});

describe('every operation', () => {
  const all = operationsOf(inject('openapi')).filter((one) => accessTo(one) === 'key');
  const ends = [
    'deleteOpenLink',
    'anonymiseCustomer',
    'deleteWebhook',
    'deleteInteraction',
    'deleteTestInteractions',
    'deleteCustomer',
    'revokeApiKey',
  ];
  const rank = ({ method, operationId }: NamedOperation): number => {
    if (operationId === 'rotateApiKeySecret') return 99;
    return method === 'GET' ? 0 : 1 + ends.indexOf(operationId);
  };
  const ordered = all.toSorted((one, other) => rank(one) - rank(other));

  const send = async (key: CreatedKey, operation: NamedOperation, given = '') => {
    const { method, path, operationId, parameters } = operation;
    const query = given || requiredQuery(parameters);
    const names = { ...marked.names, apiKey: equal.apiKey };
    const bodies: Record<string, object> = {
      updateApiKey: { name: 'Renamed' },
      publishBotVersion: { restore: 1 },
      updateInteraction: { priority: 'High' },
      createInteraction: marked.creation,
      createInteractions: { interactions: [marked.creation] },
      createCustomer: { id: 'another', firstName: marks.firstName },
    };
    const body = bodies[operationId] ?? bodyOf(operation, names);
    const answer = await fetch(
      baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name as keyof typeof names]) + query,
      {
        method,
        headers: {
          authorization: basic(key.apiKey, key.secret),
          ...(method === 'PUT' && { 'if-match': '*' }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      },
    );
    return { status: answer.status, text: await answer.text() };
  };

  test('shows a link only to those who can create interactions, whatever else they see', async () => {
    const reading = await createKey(
      marked.workspace,
      scopeNames.filter((name) => name !== 'interactions:write'),
    );
    const { linkToken, interactionId, botId } = marked.names;
    const withLink: string[] = [];
    // They are made of the link, and refused.
    const ofLink = ['getInteractionQr', 'getInteractionEmailBlock'];
    const reads = all.filter(({ method, operationId }) => method === 'GET' && !ofLink.includes(operationId));
    for (const operation of reads) {
      const { operationId } = operation;
      const { status, text } = await send(reading, operation);
      expect([operationId, status, text]).toEqual([operationId, 200, noted(text, linkToken)]);
      if ((await send(full, operation)).text.includes(linkToken)) withLink.push(operationId);
    }
    expect(withLink.toSorted()).toEqual([
      'exportInteractions',
      'getCustomer',
      'getDeliveryBody',
      'getInteraction',
      'listAttempts',
      'listInteractions',
    ]);
    const path = `/interactions/${interactionId}`;
    const [mine, whole] = [await callsOf(reading).get<Shown>(path), await callsOf(full).get<Shown>(path)];
    expect(mine.body.data).toEqual({ ...whole.body.data, link: '[hidden]' });
    expect(mine.headers.get('etag')).not.toBe(whole.headers.get('etag'));
    expect(await textOf(reading, `/interactions/export?format=csv&botId=${botId}`)).not.toContain(linkToken);
  });

  test('shows none of it, also in what a change answers', async () => {
    const statuses = new Map<string, number>();
    for (const operation of ordered) {
      const { operationId } = operation;
      const csv =
        operationId === 'exportInteractions' ? ['', `?format=csv&botId=${marked.names.botId}`] : [''];
      for (const query of csv) {
        if (operation.method === 'GET') {
          const whole = await send(full, operation, query);
          // Its conversation has ended.
          const expected = operationId === 'getInteractionEmailBlock' ? 409 : 200;
          expect([operationId, whole.status]).toEqual([operationId, expected]);
        }
        const { status, text } = await send(limited, operation, query);
        statuses.set(operationId, status);
        for (const word of words())
          expect([operationId, text], word).toEqual([operationId, noted(text, word)]);
      }
    }
    expect(statuses.size).toBeGreaterThan(50);
    expect([...statuses].filter(([, status]) => status !== 200)).toEqual([
      // It has what the bot says to the customer.
      ['getInteractionEmailBlock', 403],
      // It can test personal values. The member sees personal data: a key without them neither makes nor changes it.
      ['replayConversations', 403],
      // A key has no editor open.
      ['renewPresence', 403],
      ['endPresence', 403],
      ['inviteMember', 403],
      ['updateMember', 403],
      ['removeMember', 403],
      // A key is no member, and has no session.
      ['leaveWorkspace', 403],
      ['endSession', 403],
    ]);
  });
});

/** Returns the text, without a word that it must not have. */
function noted(text: string, word: string): string {
  return text.toLowerCase().includes(word.toLowerCase()) ? `without ${word}` : text;
}
