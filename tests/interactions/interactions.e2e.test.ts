import { createWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { butRequestId } from '../api/identical.ts';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Seed: Interactions. Contract, section 4: creation.

const { baseUrl, landingUrl } = inject('local');
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}$/;
const nowhere = '01890000-0000-7000-8000-000000000000';

const { workspace, botId, create, patch, get } = await createNpsWorkspace(baseUrl, inject('operator'));
const instant = (text: string | null): number => Date.parse(`${text}Z`);

describe('creating', () => {
  test('requires only customer and bot; every field has its type and default', async () => {
    const before = Date.now();
    const { status, body } = await create({});
    const { data } = body;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      meta: null,
    });
    expect(data).toEqual({
      id: expect.stringMatching(uuidv7) as string,
      status: 'Draft',
      priority: 'Medium',
      link: expect.any(String) as string,
      expiresAt: null,
      createdAt: expect.stringMatching(timestamp) as string,
      customerId: 'c',
      type: 'NPS',
      data: null,
      context: [],
    });
    expect(instant(data.createdAt)).toBeGreaterThanOrEqual(before - 1000);
    expect(instant(data.createdAt)).toBeLessThanOrEqual(Date.now() + 1000);
    expect((await get(data.id)).body).toEqual(body);
  });

  test('its link is below the landing URL, has only letters and digits, and is unique', async () => {
    const links = (await Promise.all([create({}), create({}), create({})])).map(({ body }) => body.data.link);
    for (const link of links) {
      expect(link.startsWith(`${landingUrl}/interactions/`)).toBe(true);
      expect(link.slice(`${landingUrl}/interactions/`.length)).toMatch(/^[0-9A-Za-z]+$/);
    }
    expect(new Set(links).size).toBe(3);
  });

  test.each(['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'])('may start as %s', async (status) => {
    const { body } = await create({ status, customerId: `begins-${status}` });
    expect(body.data.status).toBe(status);
    expect((await get(body.data.id)).body.data).toEqual(body.data);
    if (status !== 'InProgress') return expect(body.data.data).toBeNull();
    const data = JSON.parse(body.data.data ?? '') as {
      transcript: { timestamp: number; type: string; body: string }[];
    };
    expect(Object.keys(data)).toEqual(['customer_id', 'interaction_id', 'evaluation', 'transcript']);
    expect(data).toMatchObject({
      customer_id: 'begins-InProgress',
      interaction_id: body.data.id,
      evaluation: {},
    });
    expect(data.transcript.length).toBeGreaterThan(0);
    for (const entry of data.transcript) {
      expect(Object.keys(entry).toSorted()).toEqual(['body', 'timestamp', 'type']);
      expect(entry.type).toBe('bot');
      expect(Math.abs(entry.timestamp - Date.now() / 1000)).toBeLessThan(60);
    }
  });

  test.each(['Low', 'Medium', 'High'])('may have the priority %s', async (priority) => {
    expect((await create({ priority })).body.data.priority).toBe(priority);
  });

  test('creates a missing customer with empty details', async () => {
    await create({ customerId: 'made on the way' });
    const { body } = await workspace.api.get<object>('/customers/made%20on%20the%20way');
    expect(body.data).toMatchObject({ id: 'made on the way', firstName: '', lastName: '', email: '' });
  });

  test('keeps the details of a known customer', async () => {
    await workspace.api.post('/customers', {
      id: 'known',
      firstName: 'K',
      lastName: 'L',
      email: 'k@example.com',
    });
    await create({ customerId: 'known' });
    const { body } = await workspace.api.get('/customers/known');
    expect(body.data).toMatchObject({ firstName: 'K', lastName: 'L', email: 'k@example.com' });
  });

  test.each<[string, object, string[]]>([
    ['an unknown bot', { botId: nowhere }, ['/botId']],
    ['an invalid bot id', { botId: 'x' }, ['/botId']],
    ['no bot', { botId: undefined }, ['/botId']],
    ['no customer', { customerId: undefined }, ['/customerId']],
    ['an empty customer id', { customerId: '' }, ['/customerId']],
    ['the customer ..', { customerId: '..' }, ['/customerId']],
    ['a customer id that is a number', { customerId: 7 }, ['/customerId']],
    ['an unknown status', { status: 'Done' }, ['/status']],
    ['a status in other letter case', { status: 'draft' }, ['/status']],
    ['the unspecified status of the protocol', { status: 'STATUS_UNSPECIFIED' }, ['/status']],
    ['a status that is null', { status: null }, ['/status']],
    ['an unknown priority', { priority: 'Urgent' }, ['/priority']],
    ['a priority that is a number', { priority: 1 }, ['/priority']],
    ['an expiry that is a text', { expiry: '3600' }, ['/expiry']],
    ['a negative expiry', { expiry: -1 }, ['/expiry']],
    ['an expiry of more than ten years', { expiry: 11 * 365 * 86_400 }, ['/expiry']],
    ['an expiry in epoch seconds', { expiry: Math.floor(Date.now() / 1000) + 60 }, ['/expiry']],
    ['an id', { id: nowhere }, ['/id']],
    [
      'the fields of the answer',
      { link: 'x', expiresAt: null, data: null },
      ['/data', '/expiresAt', '/link'],
    ],
    [
      'all faults at once',
      { customerId: '', botId: 1, status: 'x', priority: 'x', expiry: -1, context: 'x', more: 1 },
      ['/botId', '/context', '/customerId', '/expiry', '/more', '/priority', '/status'],
    ],
  ])('with %s is 400 with a pointer to each fault, nothing created', async (_name, fields, pointers) => {
    const before = await workspace.api.get('/interactions?pageSize=1');
    const customers = await workspace.api.get('/customers?pageSize=1');
    const { status, body } = await create({ customerId: `refused ${_name}`, ...fields });
    expect([status, body.code, body.success, body.data]).toEqual([400, 400, false, null]);
    expect(body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
    expect((await workspace.api.get('/interactions?pageSize=1')).body.meta).toEqual(before.body.meta);
    expect((await workspace.api.get('/customers?pageSize=1')).body.meta).toEqual(customers.body.meta);
  });

  test('with an expiry that is not finite is 400', async () => {
    const text = `{"customerId":"c","botId":"${botId}","expiry":1e999}`;
    const { status, body } = await workspace.api.post('/interactions', text);
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/expiry']]);
  });

  test('with a bot of another workspace is 400, the same as with an unknown one', async () => {
    const other = await createWorkspace(baseUrl, inject('operator'));
    const theirs = await other.publish(npsBot);
    const answers = await Promise.all([create({ botId: theirs }), create({ botId: nowhere })]);
    const bodies = answers.map(({ body }) => butRequestId(body));
    expect(bodies[0]?.code).toBe(400);
    expect(bodies[0]).toEqual(bodies[1]);
  });
});

describe('context', () => {
  const large = (length: number) => 'x'.repeat(length);
  const wide = {
    ...(npsBot as object),
    key: 'wide',
    context: ['productName', ...Array.from({ length: 9 }, (_, index) => `k${index}`)].map((name) => ({
      name,
    })),
  };
  let wideId: string;
  beforeAll(async () => {
    wideId = await workspace.publish(wide);
  });

  test('has the given keys and values', async () => {
    const context = [
      { key: 'k3', value: 'ü 😀\n"' },
      { key: 'productName', value: '' },
    ];
    const { body } = await create({ botId: wideId, context });
    expect(body.data.context.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(context);
    expect((await get(body.data.id)).body.data.context).toEqual(body.data.context);
  });

  test('accepts values of 2 KiB and 16 KiB in all', async () => {
    const context = Array.from({ length: 8 }, (_, index) => ({ key: `k${index}`, value: large(2048) }));
    expect((await create({ botId: wideId, context })).status).toBe(200);
  });

  test.each<[string, unknown, string[]]>([
    ['a key that the bot does not have', [{ key: 'nope', value: 'x' }], ['/context/0/key']],
    ['a key in other letter case', [{ key: 'K0', value: 'x' }], ['/context/0/key']],
    ['a key twice', ['k0', 'k1', 'k0'].map((key) => ({ key, value: 'x' })), ['/context/2/key']],
    ['a value over 2 KiB', [{ key: 'k0', value: large(2049) }], ['/context/0/value']],
    ['a value over 2 KiB in UTF-8', [{ key: 'k0', value: 'ü'.repeat(1025) }], ['/context/0/value']],
    [
      'more than 16 KiB',
      Array.from({ length: 9 }, (_, index) => ({ key: `k${index}`, value: large(1900) })),
      ['/context'],
    ],
    ['a value that is a number', [{ key: 'k0', value: 1 }], ['/context/0/value']],
    ['a value that is null', [{ key: 'k0', value: null }], ['/context/0/value']],
    ['no value', [{ key: 'k0' }], ['/context/0/value']],
    ['no key', [{ value: 'x' }], ['/context/0/key']],
    ['another field', [{ key: 'k0', value: 'x', type: 'y' }], ['/context/0/type']],
    ['an object in place of a list', { k0: 'x' }, ['/context']],
    ['texts in place of pairs', ['k0'], ['/context/0']],
    ['a value with NUL', [{ key: 'k0', value: 'a\0' }], ['/context/0/value']],
    [
      'several faults',
      [
        { key: 'nope', value: 'x' },
        { key: 'k0', value: 'x' },
        { key: 'neither', value: 'x' },
      ],
      ['/context/0/key', '/context/2/key'],
    ],
  ])('with %s is 400', async (_name, context, pointers) => {
    const { status, body } = await create({ botId: wideId, context });
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, pointers]);
  });

  test('cannot be changed', async () => {
    const { body } = await create({});
    expect((await patch(body.data.id, { context: [] })).status).toBe(400);
  });
});
