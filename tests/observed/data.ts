import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseServices } from '@parley/contracts/services';
import { stream } from '@parley/contracts/events';
import type { System } from '@parley/local/system';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { findWords } from '@parley/testing/find-words';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { everythingStored } from '@parley/testing/database/stores';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../conversations/conversation.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import type { Observed } from './system.ts';

// The table of docs/data.md, against every store of a system.

const removals = ['anonymise', 'delete a customer', 'delete an interaction'] as const;
type Removal = (typeof removals)[number];
type Cell = 'stays' | 'redacted' | 'deleted' | 'ids stay';

/** A row of the document: its table, empty for another place, how long it is kept, and what each removal does. */
interface Row {
  table: string;
  kept: string;
  after: Record<Removal, Cell>;
}

async function readTable(): Promise<Row[]> {
  const text = await readFile(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
  const table = text.slice(text.indexOf('\n| where |')).trim().split('\n\n', 1)[0] ?? '';
  const lines = table.split('\n');
  const [heading, , ...rows] = lines.map((line) => line.split('|').slice(1, -1));
  expect(heading?.slice(3).map((cell) => cell.trim())).toEqual(removals);
  return rows.map(([where = '', , kept = '', ...cells]) => ({
    table: /`(\w+\.\w+)`/.exec(where)?.[1] ?? '',
    kept: kept.trim(),
    after: Object.fromEntries(removals.map((name, at) => [name, cells[at]?.trim()])) as Row['after'],
  }));
}

/** A person in every store, with the ids that lead to the person. */
interface Planted {
  words: string[];
  ids: string[];
  customerId: string;
  interactionId: string;
}

let system: System;
let observed: Observed;
let admin: SqlConnection;
let rows: Row[];
/** The ids of customers that were removed. */
const removed: string[] = [];
const stack = new AsyncDisposableStack();

async function setUp(given: Observed): Promise<void> {
  observed = given;
  ({ system } = given);
  rows = await readTable();
  admin = stack.use(await openSqlConnection(system.local().postgresUrl));
}

async function tablesWith(words: readonly string[]): Promise<string[]> {
  const found = findWords(await everythingStored(system.local()), words);
  return [...new Set(found.map((text) => withoutDay(text.slice(0, text.indexOf(':')))))];
}

/** Returns the table that a partition belongs to. */
function withoutDay(name: string): string {
  return name.replace(/_\d{8}$/, '');
}

/** Returns everything that processes have logged, and what they have told of their work to the collector of traces. */
async function telemetry(): Promise<string[]> {
  const folder = join(system.dataDir, 'logs');
  const files = await readdir(folder);
  const logs = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return [...logs, observed.collector.text()].flatMap((text) => text.split('\n'));
}

let persons = 0;

/** Creates a customer whose details are in every place that can have any. */
async function plant(workspace: TestWorkspace): Promise<Planted> {
  // The log stores what receivers answer: to a failed attempt and to the last one.
  await using echo = await startReceiver(({ body }, index) => ({
    status: index === 0 ? 500 : 200,
    body: body.toString(),
  }));
  const { webhooks } = workspace.client;
  const hook = await webhooks.create({ url: echo.url, secretToken: 'of the echo', isActive: true });
  persons += 1;
  const name = `Zyx${persons}${Date.now().toString(36)}`;
  const customerId = `of-${name.toLowerCase()}-id`;
  const [firstName, lastName] = [`${name}fia`, `${name}kowska`];
  const details = { firstName, lastName, email: `${name}mail@example.com` };
  const key = { 'idempotency-key': `plant-${name}` };
  await workspace.api.post('/customers', { id: customerId, ...details }, key);
  const botId = await workspace.publish(npsBot);
  const wanted = {
    customerId,
    botId,
    status: 'Pending',
    context: [{ key: 'productName', value: `${lastName}’s shop` }],
  };
  const made = await workspace.api.post<{ id: string }>('/interactions', wanted, key);
  const { id } = made.body.data;
  const browser = await openBrowser(system.local().baseUrl, workspace, customerId);
  let snapshot = await browser.start(id);
  for (const text of ['2', `${firstName} wrote this`, 'yes', details.email]) {
    await browser.say(id, snapshot, { text });
    // The model may have to answer first.
    snapshot = await eventually(async () => {
      const { body } = await browser.look(id);
      expect(body.data.awaiting).toBeNull();
      return body.data;
    });
  }
  expect(snapshot.status).toBe('Completed');
  const delivery = await eventually(async () => {
    const { data } = await webhooks.deliveries.list(hook.id);
    expect(data).toMatchObject([{ attempts: 1, isUnderWay: false }]);
    return data[0];
  });
  await webhooks.deliveries.retry(hook.id, delivery?.id ?? '');
  await eventually(async () => {
    expect((await webhooks.deliveries.list(hook.id)).data).toMatchObject([{ state: 'succeeded' }]);
  });
  return { words: Object.values(details), ids: [customerId, id], customerId, interactionId: id };
}

export function dataTests(given: () => Observed): void {
  beforeAll(() => setUp(given()));

  test('each table of the database is in one row', async () => {
    const tables = await admin.query<{ name: string }>(
      `select format('%s.%s', nspname, relname) as name from pg_class join pg_namespace on relnamespace = pg_namespace.oid
       where relkind in ('r', 'p') and not relispartition and relname not like 'kysely%'
         and nspname = any($1) order by 1`,
      [databaseServices],
    );
    const named = rows
      .map((row) => row.table)
      .filter(Boolean)
      .toSorted();
    expect(named).toEqual(tables.map(({ name }) => name).toSorted());
  });

  describe.each([
    ['delete a customer', 'delete a customer'],
    ['anonymise', 'anonymise'],
    ['delete an interaction', 'delete an interaction'],
    ['the retention', 'delete an interaction'],
  ] as const)('%s', (how, column) => {
    test('a person is in each place that it reaches before, and in none afterwards', async () => {
      const workspace = await createWorkspace(system.local().baseUrl, system.operator);
      const planted = await plant(workspace);
      const reached = rows.filter(({ after }) => after.anonymise === 'redacted').map(({ table }) => table);
      await eventually(async () => {
        expect(reached.toSorted()).toEqual((await tablesWith(planted.words)).toSorted());
      });

      await remove(how, workspace, planted);
      if (column === 'delete a customer') removed.push(planted.customerId);
      const tablesWhere = (wanted: (cell: Cell) => boolean): string[] =>
        rows.filter(({ after }) => wanted(after[column])).map(({ table }) => table);
      const untouched = tablesWhere((cell) => cell === 'stays');
      const emptied = tablesWhere((cell) => cell === 'deleted');
      const ids = column === 'delete a customer' ? planted.ids : [planted.interactionId];
      await eventually(async () => {
        const found = await tablesWith(planted.words);
        expect(found.filter((name) => !untouched.includes(name))).toEqual([]);
        if (column === 'anonymise') return;
        const named = await tablesWith(ids);
        expect(named.filter((name) => emptied.includes(name))).toEqual([]);
      });
      expect(findWords(await telemetry(), planted.words)).toEqual([]);
    });
  });
}

/** After `dataTests`, and tests of something else: each service looks for what is a day old once a minute. */
export function forgottenIdTests(): void {
  afterAll(() => stack.disposeAsync());

  test('the id of a deleted customer stays for ever in its erasure alone', async () => {
    expect(removed).toHaveLength(1);
    const kept = rows.filter((row) => ['for ever', 'a day'].includes(row.kept)).map(({ table }) => table);
    await eventually(async () => {
      const named = await tablesWith(removed);
      expect(named.filter((table) => kept.includes(table))).toEqual(['customer.finished_erasure']);
      const documented = rows.filter(({ after }) => after['delete a customer'] === 'ids stay');
      expect(named.filter((table) => !documented.some((row) => row.table === table))).toEqual([stream.name]);
    });
  });
}

async function remove(
  how: string,
  { client, id: workspaceId }: TestWorkspace,
  { customerId, interactionId: id }: Planted,
): Promise<void> {
  const { customers, interactions, retention } = client;
  if (how === 'anonymise') await customers.anonymise(customerId);
  else if (how === 'delete a customer') {
    await customers.delete(customerId);
    for (const { table } of rows.filter(({ kept }) => kept === 'a day'))
      await admin.query(`update ${table} set raised_at = now() - interval '25 hours'`);
  } else if (how === 'delete an interaction') await interactions.delete(id);
  else {
    // For the triggers of the table.
    await admin.query('set search_path = interaction');
    await admin.query(
      `update interaction set updated_at = now() - interval '2 days' where workspace_id = $1`,
      [workspaceId],
    );
    await retention.update({ completedDays: 1 });
    await eventually(async () => {
      expect(await admin.query('select from interaction.interaction where id = $1', [id])).toEqual([]);
    });
  }
}
