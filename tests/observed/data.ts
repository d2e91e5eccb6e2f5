import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System } from '@parley/local/system';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { findWords } from '@parley/testing/find-words';
import { startReceiver } from '@parley/testing/receiver';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { everythingStored } from '@parley/testing/stores';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../conversation.ts';
import { npsBot } from '../sample-bots.ts';
import type { Observed } from './system.ts';

// The table of docs/data.md, against every store of a system.

const removals = ['anonymising', 'deleting a customer', 'deleting an interaction, retention'] as const;
type Removal = (typeof removals)[number];
type Cell = 'stays' | 'redacted' | 'deleted' | 'ids stay';

/** A row of the table: the names of its tables, and what each removal does. */
interface Row {
  tables: string[];
  after: Record<Removal, Cell>;
}

async function readTable(): Promise<Row[]> {
  const text = await readFile(join(import.meta.dirname, '../../docs/data.md'), 'utf8');
  const table = text.slice(text.indexOf('\n| data |')).trim().split('\n\n', 1)[0] ?? '';
  const lines = table.split('\n');
  const [heading, , ...rows] = lines.map((line) => line.split('|').slice(1, -1));
  expect(heading?.slice(3).map((cell) => cell.trim())).toEqual(removals);
  return rows.map(([, where = '', , ...cells]) => ({
    tables: Array.from(where.matchAll(/`(\w+\.\w+)`/g), ([, name = '']) => name),
    after: Object.fromEntries(removals.map((name, at) => [name, cells[at]?.trim()])) as Row['after'],
  }));
}

/** A person in every store, with the ids that lead to the person. */
interface Planted {
  words: string[];
  ids: string[];
  customerId: string;
  interactionIds: string[];
}

let system: System;
let observed: Observed;
let admin: SqlSession;
let rows: Row[];
const stack = new AsyncDisposableStack();

async function setUp(given: Observed): Promise<void> {
  observed = given;
  ({ system } = given);
  rows = await readTable();
  admin = stack.use(await openSqlSession(system.local().postgresUrl));
}

/** Returns the tables that have one of the words. */
async function tablesWith(words: readonly string[]): Promise<string[]> {
  const found = findWords(await everythingStored(system.local()), words);
  return [...new Set(found.map((text) => text.slice(0, text.indexOf(':'))))];
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
async function plant(workspace: Awaited<ReturnType<typeof createWorkspace>>): Promise<Planted> {
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
    snapshot = await browser.say(id, snapshot, { text });
  }
  expect(snapshot.status).toBe('Completed');
  return { words: Object.values(details), ids: [customerId, id], customerId, interactionIds: [id] };
}

/** Tests that the table of docs/data.md is complete and true. */
export function dataTests(given: () => Observed): void {
  beforeAll(() => setUp(given()));
  afterAll(() => stack.disposeAsync());

  test('each table of the database is in one row', async () => {
    const tables = await admin.query<{ name: string }>(
      `select format('%s.%s', nspname, relname) as name from pg_class join pg_namespace on relnamespace = pg_namespace.oid
       where relkind in ('r', 'p') and not relispartition and relname not like 'kysely%'
         and nspname in ('identity', 'customer', 'interaction', 'webhook') order by 1`,
    );
    const named = rows.flatMap((row) => row.tables).toSorted();
    expect(named).toEqual(tables.map(({ name }) => name).toSorted());
  });

  describe.each([
    ['anonymising', 'anonymising'],
    ['deleting a customer', 'deleting a customer'],
    ['deleting an interaction', 'deleting an interaction, retention'],
    ['the retention', 'deleting an interaction, retention'],
  ] as const)('%s', (how, column) => {
    test('a person is in each place that it reaches before, and in none afterwards', async () => {
      // The log of attempts stores what receivers answer.
      await using echo = await startReceiver(({ body }) => ({ status: 200, body: body.toString() }));
      const workspace = await createWorkspace(system.local().baseUrl, system.operator);
      const { webhooks } = workspace.client;
      const events = ['InteractionStarted', 'InteractionCompleted'] as const;
      await webhooks.create({
        url: echo.url,
        secretToken: 'of the echo',
        isActive: true,
        events: [...events],
      });
      const planted = await plant(workspace);
      await eventually(() => expect(echo.requests.length).toBe(2));
      const reached = rows.filter(({ after }) => after.anonymising === 'redacted');
      await eventually(async () => {
        const found = new Set(await tablesWith(planted.words));
        // Of a row with several tables, details are in some.
        expect(reached.filter(({ tables }) => !tables.some((name) => found.has(name)))).toEqual([]);
      });

      await remove(how, workspace, planted);
      const allowed = rows.filter(({ after }) => after[column] === 'stays').flatMap(({ tables }) => tables);
      const withIds = rows.filter(({ after }) => after[column] !== 'deleted').flatMap(({ tables }) => tables);
      const ids = column === 'deleting a customer' ? planted.ids : planted.interactionIds;
      await eventually(async () => {
        const found = await tablesWith(planted.words);
        expect(found.filter((name) => !allowed.includes(parentOf(name)))).toEqual([]);
        const named = await tablesWith(ids);
        if (column !== 'anonymising') {
          expect(named.filter((name) => name.includes('.') && !withIds.includes(parentOf(name)))).toEqual([]);
        }
      });
      expect(findWords(await telemetry(), planted.words)).toEqual([]);
    });
  });
}

/** Returns the table that a partition belongs to. */
function parentOf(name: string): string {
  return name.replace(/_p?\d{8}$/, '');
}

async function remove(
  how: string,
  { client, id: workspaceId }: Awaited<ReturnType<typeof createWorkspace>>,
  { customerId, interactionIds: [id = ''] }: Planted,
): Promise<void> {
  const { customers, interactions, retention } = client;
  if (how === 'anonymising') await customers.anonymise(customerId);
  else if (how === 'deleting a customer') await customers.delete(customerId);
  else if (how === 'deleting an interaction') await interactions.delete(id);
  else {
    await admin.query(
      `update interaction.interaction set updated_at = now() - interval '2 days' where workspace_id = $1`,
      [workspaceId],
    );
    await retention.update({ completedDays: 1 });
    await eventually(async () => {
      expect(await admin.query('select from interaction.interaction where id = $1', [id])).toEqual([]);
    });
  }
}
