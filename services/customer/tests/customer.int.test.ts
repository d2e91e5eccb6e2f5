import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { InteractionServiceService } from '@parley/contracts/interaction/v1/interaction';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { connect } from '@parley/rpc/connect';
import type { Handlers, RpcClient } from '@parley/rpc/definition';
import { serve, service } from '@parley/rpc/serve';
import { unavailable } from '@parley/runtime/errors';
import { createDatabase } from '@parley/testing/database';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlSession } from '@parley/testing/sql';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { start } from '../src/service.ts';

const tokens = { service: 'service-token-of-a-test', operator: 'operator-token-of-a-test' };
const listen = { host: '127.0.0.1', port: 0 };
const call = { requestId: 'test' };
const stack = new AsyncDisposableStack();
let customers: RpcClient<typeof CustomerServiceService>;
let adminUrl: string;
let workspaceId: string;

// The neighbours that anonymisation reaches into, with what they were asked.
const asked: { details: string[]; customerVersion: number; bodies: string[] }[] = [];
let redactions: (pageToken: string) => Promise<{ interactionId: string; next: string }>;

const refused = (): never => {
  throw new Error('not asked by the customer service');
};
const redactCustomer: Handlers<typeof InteractionServiceService>['redactCustomer'] = async (request) => {
  const { interactionId, next } = await redactions(request.pageToken);
  const { details, customerVersion } = request;
  asked.push({ details, customerVersion, bodies: [] });
  return { completions: [{ interactionId, body: Buffer.from('{}') }], nextPageToken: next };
};
const replaceEventBodies: Handlers<typeof WebhookServiceService>['replaceEventBodies'] = async ({
  bodies,
  customerVersion,
}) => {
  expect(customerVersion).toBe(asked.at(-1)?.customerVersion);
  asked.at(-1)?.bodies.push(...bodies.map(({ eventId }) => eventId));
  return {};
};

beforeAll(async () => {
  const database = stack.use(await createDatabase('customer'));
  adminUrl = database.adminUrl;
  const neighbour = stack.use(
    await serve({
      listen,
      services: [
        service(InteractionServiceService, {
          createInteraction: refused,
          getInteraction: refused,
          listInteractions: refused,
          listCustomerInteractions: refused,
          updateInteraction: refused,
          listCompletionBodies: refused,
          redactCustomer,
        }),
        service(WebhookServiceService, {
          createWebhook: refused,
          getWebhook: refused,
          listWebhooks: refused,
          updateWebhook: refused,
          deleteWebhook: refused,
          rotateSigningSecret: refused,
          listMissingEvents: refused,
          replaceEventBodies,
        }),
      ],
      tokens,
      logger,
      isReady: async () => true,
    }),
  );
  const addresses = { interactionAddress: neighbour.address, webhookAddress: neighbour.address };
  const running = stack.use(await start({ listen, databaseUrl: database.url, tokens, ...addresses }, logger));
  customers = stack.use(connect(running.address, { token: tokens.service })).client(CustomerServiceService);
});
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  workspaceId = randomUUID();
  asked.length = 0;
  redactions = async () => ({ interactionId: randomUUID(), next: '' });
});

const anna = { firstName: 'Anna', lastName: 'Novák', email: 'anna@example.com' };
const create = (id: string, key: string | null = null) =>
  customers.createCustomer(
    { workspaceId, id, ...anna, idempotency: key ? { scope: key, fingerprint: Buffer.from('f') } : null },
    call,
  );

describe('creating', () => {
  test('keeps what was given and refuses the id a second time', async () => {
    const { customer, replayed } = await create('a');
    expect(customer).toEqual({ id: 'a', ...anna, version: 1 });
    expect(replayed).toBe(false);
    await expect(create('a')).rejects.toMatchObject({ code: 'already_exists', type: 'customer-exists' });
  });

  test('takes ids as they are: case, accents, slashes and normal forms differ', async () => {
    const ids = ['x', 'X', 'é', 'e\u0301', 'a/b', '😀', ' ', '%2F'];
    for (const id of ids) await create(id);
    const { customers: all, total } = await customers.listCustomers(
      { workspaceId, page: { page: 1, pageSize: 50 } },
      call,
    );
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(total).toBe(ids.length);
  });

  test('once per idempotency key, also for twenty calls at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('once', key)));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ customer }) => JSON.stringify(customer))).size).toBe(1);
  });

  test('ensuring makes one customer for twenty calls at once and changes none that exists', async () => {
    const ensure = (id: string) => customers.ensureCustomer({ workspaceId, id }, call);
    const made = await Promise.all(Array.from({ length: 20 }, () => ensure('new')));
    expect(made.every(({ id, email, version }) => id === 'new' && email === '' && version === 1)).toBe(true);
    await create('old');
    expect(await ensure('old')).toEqual({ id: 'old', ...anna, version: 1 });
  });
});

describe('reading', () => {
  test('a customer of another workspace is as one that never was', async () => {
    await create('a');
    const missing = await customers
      .getCustomer({ workspaceId, id: 'b' }, call)
      .catch((error: unknown) => error);
    const foreign = await customers
      .getCustomer({ workspaceId: randomUUID(), id: 'a' }, call)
      .catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'not_found' });
    expect(String(foreign)).toBe(String(missing));
  });

  test('pages are oldest first, past the last one empty, with the true total', async () => {
    for (const id of ['c', 'a', 'b']) await create(id);
    const page = async (number: number) => {
      const answer = await customers.listCustomers(
        { workspaceId, page: { page: number, pageSize: 2 } },
        call,
      );
      return [answer.customers.map(({ id }) => id).join(), answer.total];
    };
    expect([await page(1), await page(2), await page(3)]).toEqual([
      ['c,a', 3],
      ['b', 3],
      ['', 3],
    ]);
  });
});

describe('updating', () => {
  test('sets what is given, keeps the rest and raises the version', async () => {
    await create('a');
    const changed = await customers.updateCustomer({ workspaceId, id: 'a', lastName: '' }, call);
    expect(changed).toEqual({ id: 'a', ...anna, lastName: '', version: 2 });
  });

  test('of ten updates with one expected version, one is done and the others are refused', async () => {
    await create('a');
    const updates = Array.from({ length: 10 }, (_, index) =>
      customers.updateCustomer({ workspaceId, id: 'a', firstName: `n${index}`, ifVersion: 1 }, call),
    );
    const outcomes = await Promise.allSettled(updates);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refusals.every(({ reason }) => (reason as { code: string }).code === 'aborted')).toBe(true);
  });

  test('a customer that is not there is not found, whatever version is expected', async () => {
    const update = customers.updateCustomer(
      { workspaceId, id: 'nobody', firstName: 'x', ifVersion: 1 },
      call,
    );
    await expect(update).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('anonymising', () => {
  const admin = async (statement: string): Promise<object[]> => {
    await using session = await openSqlSession(adminUrl);
    return await session.query(statement, [workspaceId]);
  };
  const dump = async (): Promise<string> => {
    const texts: string[] = [];
    for (const table of ['customer', 'anonymisation', 'idempotency_record']) {
      const rows = await admin(`select * from customer.${table} where workspace_id = $1`);
      // Bytes as Latin-1: the details of these tests that are not ASCII stand beside some that are.
      texts.push(
        JSON.stringify(rows, (_, value: unknown) =>
          isBytes(value) ? Buffer.from(value.data).toString('latin1') : value,
        ),
      );
    }
    return texts.join('\n');
  };
  /** As if the process that began them had died a while ago. */
  const ageUnfinished = () =>
    admin(`update customer.anonymisation set alive_at = now() - interval '1 hour' where workspace_id = $1`);
  const unfinished = () => admin('select details from customer.anonymisation where workspace_id = $1');
  const away = async (): Promise<never> => {
    throw unavailable(new Error('away'));
  };

  test('asks the neighbours page by page and leaves no detail in the schema', async () => {
    await create('a', randomUUID());
    expect(await dump()).toContain('Anna');
    const pages = [randomUUID(), randomUUID()];
    redactions = async (token) =>
      token === ''
        ? { interactionId: pages[0] ?? '', next: '2' }
        : { interactionId: pages[1] ?? '', next: '' };
    await customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    expect(asked.map(({ bodies }) => bodies)).toEqual([[pages[0]], [pages[1]]]);
    expect([...(asked[0]?.details ?? [])].sort()).toEqual(['Anna', 'Novák', 'anna@example.com']);
    const left = await dump();
    for (const detail of Object.values(anna)) expect(left).not.toContain(detail);
    expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toMatchObject({
      firstName: '',
      email: '',
    });
  });

  test('is finished later when a neighbour fails half-way, with the details it began with', async () => {
    await create('a');
    redactions = away;
    const failed = customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
    // From the first moment nobody begins anything with the details.
    expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toMatchObject({ firstName: '' });
    await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Hanna' }, call);
    redactions = async () => ({ interactionId: randomUUID(), next: '' });
    await customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    expect(asked.at(-1)?.details).toEqual(expect.arrayContaining(['Anna', 'Hanna']));
    await eventually(async () => expect(await dump()).not.toMatch(/anna/i));
  });

  test('is taken up by another process when its own has died', async () => {
    await create('a');
    redactions = away;
    await expect(customers.anonymiseCustomer({ workspaceId, id: 'a' }, call)).rejects.toThrow();
    expect(await unfinished()).toHaveLength(1);
    const before = await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Later' }, call);
    redactions = async () => ({ interactionId: randomUUID(), next: '' });
    await ageUnfinished();
    await eventually(async () => expect(await unfinished()).toEqual([]), { timeoutMs: 20_000 });
    expect(asked.at(-1)).toMatchObject({
      details: expect.arrayContaining(['Anna', 'Novák']) as string[],
      customerVersion: 2,
    });
    expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toEqual(before);
  });

  test('again goes on with one that is not finished, and begins anew with what the record was given since', async () => {
    await create('a');
    const anonymise = () => customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    const failing = async () => {
      redactions = away;
      await expect(anonymise()).rejects.toThrow();
      redactions = async () => ({ interactionId: randomUUID(), next: '' });
    };
    await failing();
    await anonymise();
    await failing();
    await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Eva' }, call);
    await anonymise();
    await anonymise();
    expect(asked.map(({ customerVersion }) => customerVersion)).toEqual([2, 5, 6]);
  });

  test('of two at once leaves the note of the later one to the later one', async () => {
    await create('a');
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = [first.promise, second.promise];
    redactions = async () => {
      await held.shift();
      return { interactionId: randomUUID(), next: '' };
    };
    const one = customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    await eventually(() => expect(held).toHaveLength(1));
    await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Hanna' }, call);
    const two = customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    await eventually(() => expect(held).toHaveLength(0));
    first.resolve();
    await one;
    expect(await unfinished()).toHaveLength(1);
    second.resolve();
    await two;
    expect(await unfinished()).toEqual([]);
    expect(asked.map(({ customerVersion, details }) => [customerVersion, details.includes('Hanna')])).toEqual(
      [
        [2, false],
        [4, true],
      ],
    );
  });

  test('leaves the answers to Idempotency-Keys replayable, without the person', async () => {
    const key = randomUUID();
    await create('a', key);
    await customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    expect(await create('a', key)).toEqual({
      customer: { id: 'a', firstName: '', lastName: '', email: '', version: 1 },
      replayed: true,
    });
  });

  test('again is no error, an unknown customer is not found, and the record can be used again', async () => {
    await create('a');
    for (let times = 0; times < 2; times += 1)
      await customers.anonymiseCustomer({ workspaceId, id: 'a' }, call);
    const unknown = customers.anonymiseCustomer({ workspaceId, id: 'nobody' }, call);
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    const again = await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Eva' }, call);
    expect(again.firstName).toBe('Eva');
  });
});

function isBytes(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
