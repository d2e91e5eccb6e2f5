import { detailOf, noDetails, perDetail } from '@parley/contracts/customer-details';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { sendHttp } from '../api/http-request.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Seed: Customers. Contract, sections 2 and 3.

interface Customer {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  interactions: { id: string; type: string; context: string[]; data: string | null; createdAt: string }[];
}

const { baseUrl } = inject('local');

let workspace: TestWorkspace;
let botId: string;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  botId = await workspace.publish(npsBot);
});

const create = (body: unknown) => workspace.api.post<Customer>('/customers', body);
const pathOf = (id: string): string => `/customers/${encodeURIComponent(id)}`;
const get = (id: string) => workspace.api.get<Customer>(pathOf(id));
let made = 0;
const newId = (): string => `c-${(made += 1)}`;

describe('creating', () => {
  test('accepts the id and every detail and returns them without interactions', async () => {
    const details = { ...perDetail((name) => detailOf(name).example), lastName: 'Nováková' };
    const { status, body } = await create({ id: 'all-fields', ...details });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      data: { id: 'all-fields', ...details, interactions: [] },
      meta: null,
    });
  });

  test('requires only the id: the others are empty', async () => {
    const { body } = await create({ id: 'bare' });
    expect(body.data).toEqual({ id: 'bare', ...noDetails, interactions: [] });
  });

  test('a taken id is 409 and does not change the first one', async () => {
    await create({ id: 'taken', firstName: 'First' });
    const { status, body } = await create({ id: 'taken', firstName: 'Second' });
    expect([status, body.code, body.success, body.data]).toEqual([409, 409, false, null]);
    expect((await get('taken')).body.data.firstName).toBe('First');
  });

  test('of twenty concurrent ones with one id, one is created', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ id: 'raced' })));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  test.each([
    ['a name of 255 code points', { firstName: '😀'.repeat(255), lastName: 'é'.repeat(255) }],
    ['an e-mail address of 320 code points', { email: `${'a'.repeat(64)}@${'b'.repeat(251)}.com` }],
    ['an international e-mail address', { email: 'jürgen.müller@exämple.de' }],
    ['an e-mail address with a tag', { email: "o'brien+tag_1%x@mail.example.co.uk" }],
    ['empty texts', { firstName: '', lastName: '', email: '' }],
    [
      'texts with quotes, angle brackets and line ends',
      { firstName: `"'<b>\n\t\\`, lastName: '$1 {{x}} %s' },
    ],
  ])('%s is stored unchanged', async (_name, details) => {
    const id = newId();
    expect((await create({ id, ...details })).body.data).toMatchObject(details);
    expect((await get(id)).body.data).toMatchObject(details);
  });

  test.each<[string, unknown, string[]]>([
    ['no id', { firstName: 'x' }, ['/id']],
    ['an empty id', { id: '' }, ['/id']],
    ['an id that is a number', { id: 1 }, ['/id']],
    ['an id that is null', { id: null }, ['/id']],
    ['an id of 256 code points', { id: 'x'.repeat(256) }, ['/id']],
    ['an id of 256 emoji', { id: '😀'.repeat(256) }, ['/id']],
    ['the id .', { id: '.' }, ['/id']],
    ['the id ..', { id: '..' }, ['/id']],
    ['an id with NUL', { id: 'a\0b' }, ['/id']],
    ['an id with a line end', { id: 'a\nb' }, ['/id']],
    ['an id with DEL', { id: 'a\u007fb' }, ['/id']],
    ['an id with a C1 control character', { id: 'a\u0085b' }, ['/id']],
    ['an id with half of an emoji', { id: 'a\ud83d' }, ['/id']],
    ['a name of 256 code points', { id: 'x', firstName: 'x'.repeat(256) }, ['/firstName']],
    [
      'an e-mail address of 321 code points',
      { id: 'x', email: `${'a'.repeat(64)}@${'b'.repeat(252)}.com` },
      ['/email'],
    ],
    ['an e-mail address without @', { id: 'x', email: 'anna.example.com' }, ['/email']],
    ['an e-mail address without a domain', { id: 'x', email: 'anna@' }, ['/email']],
    ['an e-mail address without a name', { id: 'x', email: '@example.com' }, ['/email']],
    ['an e-mail address with a space', { id: 'x', email: 'an na@example.com' }, ['/email']],
    ['an e-mail address with a line end', { id: 'x', email: 'anna@example.com\n' }, ['/email']],
    ['two e-mail addresses', { id: 'x', email: 'a@example.com,b@example.com' }, ['/email']],
    ['names that are null', { id: 'x', firstName: null, lastName: null }, ['/firstName', '/lastName']],
    ['an unknown field', { id: 'x', interactions: [] }, ['/interactions']],
    ['a field in other letter case', { id: 'x', firstname: 'a' }, ['/firstname']],
    [
      'all faults at once',
      { id: '', firstName: 1, lastName: [], email: 'x', unknown: '1', 'a/b~c': 1 },
      ['/a~1b~0c', '/email', '/firstName', '/id', '/lastName', '/unknown'],
    ],
  ])('%s: 400 with a pointer to each fault, nothing created', async (_name, body, pointers) => {
    const before = await workspace.api.get('/customers?pageSize=1');
    const answer = await create(body);
    expect([answer.status, answer.body.code, answer.body.success, answer.body.data]).toEqual([
      400,
      400,
      false,
      null,
    ]);
    expect([...new Set(answer.body.errors?.map(({ pointer }) => pointer))].toSorted()).toEqual(pointers);
    for (const { detail } of answer.body.errors ?? []) expect(detail).not.toBe('');
    expect((await workspace.api.get('/customers?pageSize=1')).body.meta).toEqual(before.body.meta);
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['a text', '"text"'],
    ['a number', 1],
  ])('a body that is %s is 400', async (_name, body) => {
    const { status, body: envelope } = await create(body);
    expect([status, envelope.code]).toEqual([400, 400]);
  });
});

describe('ids', () => {
  const ids = [
    'a/b',
    '/',
    '//',
    '../up',
    'a/../b',
    '...',
    'a b',
    ' ',
    ' padded ',
    'a+b',
    '100%',
    '%41',
    '%2F',
    '%',
    'a?b=c',
    'a#b',
    'a&b=c;d,e:f@g!$*()[]{}|^`~\'"<>',
    'back\\slash',
    'x/anonymise',
    'anonymise',
    'token',
    'žluťoučký kůň',
    '客户',
    'עברית',
    '👩‍👩‍👧‍👦',
    '\u200b',
    '\u202e',
    '\ufeff',
    '\u2028',
    '__proto__',
    'constructor',
    'null',
    '0',
    "'; drop table customer; --",
    '😀'.repeat(255),
    'x'.repeat(255),
  ];
  test.each(ids)('%j can be created, read, changed, filtered by and anonymised', async (id) => {
    const { status, body } = await create({ id, firstName: 'F' });
    expect([status, body.data?.id]).toEqual([200, id]);
    expect((await get(id)).body.data).toMatchObject({ id, firstName: 'F' });
    const changed = await workspace.api.patch<Customer>(pathOf(id), { lastName: 'L' });
    expect(changed.body.data).toMatchObject({ id, firstName: 'F', lastName: 'L' });
    const one = await workspace.api.post<{ customerId: string }>('/interactions', { customerId: id, botId });
    expect(one.body.data.customerId).toBe(id);
    const theirs = await workspace.api.get<unknown[]>(`/interactions?customerId=${encodeURIComponent(id)}`);
    expect([theirs.body.data.length, theirs.body.meta?.totalResults]).toEqual([1, 1]);
    expect((await get(id)).body.data.interactions).toHaveLength(1);
    const token = await workspace.api.post(`${pathOf(id)}/token`);
    expect(token.status).toBe(200);
    expect((await workspace.api.post(`${pathOf(id)}/anonymise`)).status).toBe(200);
    expect((await get(id)).body.data).toMatchObject({ id, firstName: '', lastName: '' });
  });

  test('differ by letter case, normalisation and spaces', async () => {
    const alike = [
      'Straße',
      'straße',
      'STRASSE',
      'é',
      'e\u0301',
      'ﬁ',
      'fi',
      'tail',
      'tail ',
      ' tail',
      '１',
      '1',
    ];
    for (const [index, id] of alike.entries()) {
      expect((await create({ id, firstName: String(index) })).status).toBe(200);
    }
    for (const [index, id] of alike.entries()) {
      expect((await get(id)).body.data).toMatchObject({ id, firstName: String(index) });
    }
  });

  test.each(['.', '..', '%2e', '%2E%2e', '%00', 'a%0Ab', '', 'x'.repeat(256)])(
    'the path segment %j is no customer: 404',
    async (segment) => {
      const authorization = `Basic ${Buffer.from(`${workspace.apiKey}:${workspace.apiSecret}`).toString('base64')}`;
      const path = `/v1/workspaces/${workspace.id}/customers/${segment}`;
      const { status, text } = await sendHttp(baseUrl, { path, headers: { authorization } });
      expect([status, (JSON.parse(text) as { code: number }).code]).toEqual([404, 404]);
    },
  );

  test.each(['%', '%zz', '%ff', '%c3%28', '%ed%a0%80'])(
    'the path segment %j is not valid text: 400 or 404',
    async (segment) => {
      const { status, body } = await workspace.api.get(`/customers/${segment}`);
      expect([400, 404]).toContain(status);
      expect(body).toMatchObject({ success: false, code: status, data: null, meta: null });
    },
  );
});

describe('one customer', () => {
  interface Interaction {
    id: string;
    createdAt: string;
    type: string;
    context: { key: string; value: string }[];
    [field: string]: unknown;
  }

  test('has its interactions, newest first: context as names, type as the longer label, else the same', async () => {
    const id = newId();
    const bodies = [
      { customerId: id, botId },
      { customerId: id, botId, status: 'Pending', context: [{ key: 'productName', value: 'Parley' }] },
      { customerId: id, botId, status: 'InProgress', priority: 'High', expiry: 3600 },
    ];
    const interactions: Interaction[] = [];
    for (const body of bodies) {
      const { body: answer } = await workspace.api.post<Interaction>('/interactions', body);
      interactions.push(answer.data);
    }
    const { body } = await get(id);
    const expected = interactions.toReversed().map((one) => ({
      ...one,
      type: 'Net Promoter Score follow-up',
      context: one.context.map(({ key }) => key),
    }));
    expect(interactions.map(({ type }) => type)).toEqual(['NPS', 'NPS', 'NPS']);
    expect(body.data.interactions).toEqual(expected);
    expect(body.data.interactions[1]?.context).toEqual(['productName']);
    expect(body.meta).toBeNull();
    const changed = await workspace.api.patch<Customer>(pathOf(id), { firstName: 'Changed' });
    expect(changed.body.data).toEqual({ ...body.data, firstName: 'Changed' });
    expect((await get(id)).body.data).toEqual(changed.body.data);
  });

  test('that does not exist is 404 for every call', async () => {
    const path = '/customers/nobody';
    const answers = await Promise.all([
      workspace.api.get(path),
      workspace.api.patch(path, { firstName: 'x' }),
      workspace.api.post(`${path}/anonymise`),
      workspace.api.post(`${path}/token`),
    ]);
    for (const { status, body } of answers) expect([status, body.code, body.data]).toEqual([404, 404, null]);
  });

  test('of another workspace is 404, and the same id there is a different customer', async () => {
    const id = newId();
    await create({ id, firstName: 'Ours' });
    const other = await createWorkspace(baseUrl, inject('operator'));
    expect((await other.api.get(pathOf(id))).status).toBe(404);
    expect((await other.api.post('/customers', { id, firstName: 'Theirs' })).status).toBe(200);
    expect((await get(id)).body.data.firstName).toBe('Ours');
  });
});

describe('changing', () => {
  test('sets the given fields and keeps the others', async () => {
    const id = newId();
    const details = { firstName: 'A', lastName: 'B', email: 'a@example.com' };
    await create({ id, ...details });
    const changes = [
      { firstName: 'C' },
      { lastName: '' },
      { email: 'c@example.com' },
      { email: '', firstName: 'D' },
      perDetail((name) => detailOf(name).example),
    ];
    let expected: object = { id, ...noDetails, ...details, interactions: [] };
    for (const change of changes) {
      expected = { ...expected, ...change };
      const { status, body } = await workspace.api.patch<Customer>(pathOf(id), change);
      expect([status, body.data]).toEqual([200, expected]);
    }
    expect((await get(id)).body.data).toEqual(expected);
  });

  test('concurrent in different fields loses nothing', async () => {
    const id = newId();
    await create({ id });
    const changes = [{ firstName: 'A' }, { lastName: 'B' }, { email: 'c@example.com' }];
    const answers = await Promise.all(changes.map((change) => workspace.api.patch(pathOf(id), change)));
    for (const { status } of answers) expect(status).toBe(200);
    expect((await get(id)).body.data).toMatchObject({
      firstName: 'A',
      lastName: 'B',
      email: 'c@example.com',
    });
  });

  test.each<[string, unknown]>([
    ['nothing at all', undefined],
    ['an empty body', {}],
    ['another id', { id: 'x' }],
    ['null', { firstName: null }],
    ['a number', { lastName: 5 }],
    ['a malformed e-mail address', { email: 'x' }],
    ['interactions', { interactions: [] }],
    ['a good field with an unknown one', { firstName: 'Z', unknown: 1 }],
  ])('with %s is 400 and changes nothing', async (_name, change) => {
    const id = newId();
    await create({ id, firstName: 'Kept' });
    const { status, body } = await workspace.api.patch(pathOf(id), change);
    expect([status, body.code, body.data]).toEqual([400, 400, null]);
    expect((await get(id)).body.data).toEqual({ id, ...noDetails, firstName: 'Kept', interactions: [] });
  });
});
