import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { interactionCompleted, interactionDeleted } from '@parley/contracts/events';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { longForm } from '@parley/testing/long-form';
import { findWords } from '@parley/testing/find-words';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { everythingStored } from '@parley/testing/database/stores';
import type { System } from '@parley/local/system';
import { repeatedly } from '@parley/testing/repeatedly';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Interaction } from '../insight/nps-workspace.ts';
import type { Processes } from '../system/processes.ts';
import type { Faulty } from './system.ts';
import { type Browser, openBrowser, Refused, taken } from '../conversations/conversation.ts';

// Contract, section 3: anonymising and deleting reach every copy, under concurrent writes, deliveries and kills.

/** The rounds of each test. */
const rounds = Array.from({ length: longForm(1) }, (_, round) => round);

const steps = [
  {
    id: 'hi',
    kind: 'say',
    text: 'Dear {{customer.firstName|you}} {{customer.lastName}}, about {{context.about}}',
  },
  { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'longText' }, evaluation: 'why' },
  { id: 'mail', kind: 'ask', text: 'Still {{customer.email|none}}?', input: { type: 'text' }, pii: true },
  { id: 'bye', kind: 'end', text: 'Bye {{customer.firstName|you}}' },
];
const definition = {
  schemaVersion: 1,
  type: 'Test',
  context: [{ name: 'about', default: 'this' }],
  evaluation: { why: {} },
};

const stack = new AsyncDisposableStack();
let system: System;
let processes: Processes;
let baseUrl: string;
let workspace: TestWorkspace;
/** Returns each body, which the log of attempts stores. Every second answer is a failure, which causes a retry. */
let echo: Receiver;
let conversationBot: string;
let herald: string;

async function setUp(faulty: Faulty): Promise<void> {
  ({ system, processes } = faulty);
  baseUrl = system.local().baseUrl;
  workspace = await createWorkspace(baseUrl, system.operator);
  echo = stack.use(
    await startReceiver(({ body }, index) => ({ status: index % 2 ? 200 : 500, body: body.toString() })),
  );
  await workspace.api.post('/webhooks', { url: echo.url, secretToken: 'echo', isActive: true });
  const unreached = { url: 'http://127.0.0.1:9/', secretToken: 'unreached', isActive: true };
  await workspace.api.post('/webhooks', unreached);
  conversationBot = await workspace.publish({ ...definition, key: 'conversation', name: 'Asks', steps });
  const [hi, , , bye] = steps;
  herald = await workspace.publish({ ...definition, key: 'herald', name: 'Tells', steps: [hi, bye] });
}

let people = 0;

/** A new customer with unique details, including all characters that escaping may change. */
async function newPerson() {
  people += 1;
  const letters = [...`${Date.now()}${people}`].map((digit) => 'bcdfghjklm'[Number(digit)]).join('');
  const person = {
    firstName: `Žo"ë\\${letters}`,
    lastName: `O'${letters}sen`,
    email: `${letters}@example.com`,
  };
  const id = `person ${people}`;
  await workspace.api.post('/customers', { id, ...person }, { 'idempotency-key': id });
  const words = Object.values(person);
  const path = `/customers/${encodeURIComponent(id)}`;
  const anonymise = () => workspace.api.post(`${path}/anonymise`);
  return {
    id,
    person,
    path,
    /** The positions of the details, without the details. */
    traces: async () => [
      ...findWords(await everythingStored(system.local()), words),
      ...(await inFiles(words)),
    ],
    anonymise,
    /** Returns as soon as the job is recorded; then only the customer's row is cleared or deleted. */
    beginErasing: async <Answer>(erase: () => Promise<Answer>): Promise<{ answering: Promise<Answer> }> => {
      await using session = await openSqlConnection(system.local().postgresUrl);
      const mine = 'where workspace_id = $1 and customer_id = $2';
      await session.query('begin');
      await session.query(`select from interaction.interaction ${mine} for update`, [workspace.id, id]);
      const answering = erase();
      await eventually(async () => {
        const notes = await session.query(`select from customer.anonymisation ${mine}`, [workspace.id, id]);
        expect(notes).toHaveLength(1);
      });
      return { answering };
    },
  };
}

/** Events that the webhook service has not handled yet, of the types that its webhooks want. */
async function onTheirWay(): Promise<object[]> {
  await using session = await openSqlConnection(system.local().postgresUrl);
  const wanted = [interactionCompleted, interactionDeleted].map(({ subject }) => subject);
  return await session.query(
    `select id from interaction.event_log where type = any($1::text[])
      and not exists (select from webhook.handled_event where handled_event.event_id = event_log.id)`,
    [wanted],
  );
}

/** Files of the broker and of the logs that contain one of the words. */
async function inFiles(words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['nats', 'logs']) {
    const entries = await readdir(join(system.dataDir, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const file = join(entry.parentPath, entry.name);
      const text = await readFile(file, 'utf8').catch(() => '');
      if (findWords([text], words).length > 0) found.push(file);
    }
  }
  return found;
}

type Person = Awaited<ReturnType<typeof newPerson>>;

/** Every operation that writes a customer's details into a row, each once. */
function worksOn({ id: customerId, person }: Person, earlier: Browser): (() => Promise<void>)[] {
  const { api } = workspace;
  let keys = 0;
  const create = async (body: object): Promise<Interaction> => {
    keys += 1;
    const headers = { 'idempotency-key': `${customerId} ${keys}` };
    const request = { customerId, botId: conversationBot, ...body };
    return taken(await api.post<Interaction>('/interactions', request, keys % 2 ? headers : {}));
  };
  const conversation = async (browser: Browser, said: string): Promise<void> => {
    const { id } = await create({ status: 'Pending' });
    let snapshot = await browser.start(id);
    for (const text of [said, said]) snapshot = await browser.say(id, snapshot, { text });
  };
  return [
    // In an earlier session, which the anonymisation ends: texts typed there are from before.
    () => conversation(earlier, `I am ${person.firstName} ${person.lastName}, ${person.email}`),
    async () => conversation(await openBrowser(baseUrl, workspace, customerId), 'Nothing'),
    async () => void (await create({ status: 'InProgress' })),
    async () => void (await create({ status: 'InProgress', botId: herald })),
    async () => {
      const { id } = await create({ status: 'Draft' });
      for (const status of ['InProgress', 'Completed'])
        taken(await api.patch(`/interactions/${id}`, { status }));
    },
  ];
}

/** Repeats all of them until it stops; a rejected one starts again. */
function writeSteadily(works: (() => Promise<void>)[]) {
  const done = works.map(() => 0);
  const refusals = new Set<string>();
  const write = async (loop: number): Promise<void> => {
    try {
      await works[loop]?.();
      done[loop] = (done[loop] ?? 0) + 1;
    } catch (error) {
      refusals.add(error instanceof Refused ? error.message : String(error));
      await setTimeout(5);
    }
  };
  const { stop } = repeatedly(write, { parallel: works.length });
  return {
    done,
    /** Status and type of the rejections, and other failures. */
    refusals,
    stop,
  };
}

/** Earlier conversations and sessions have ended, or belong to no customer. */
const refusalsExpected = [
  '404 not-found',
  '410 conversation-ended',
  '409 illegal-transition',
  '409 lost-race',
];

export function anonymisationTests(faulty: () => Faulty): void {
  beforeAll(() => setUp(faulty()));
  afterAll(() => stack.disposeAsync());

  test.each(rounds)(
    'no detail is left while conversations are concurrently created, started, answered, closed and delivered (%i)',
    async () => {
      const person = await newPerson();
      const earlier = await openBrowser(baseUrl, workspace, person.id);
      const writers = writeSteadily(worksOn(person, earlier));
      const delivered = echo.requests.length;
      try {
        await eventually(() => expect(Math.min(...writers.done)).toBeGreaterThan(0));
        await eventually(() => expect(echo.requests.length).toBeGreaterThan(delivered + 2));
        expect(await person.traces()).not.toEqual([]);
        await setTimeout(Math.random() * 100);
        expect([...writers.refusals]).toEqual([]);
        expect((await person.anonymise()).status).toBe(200);
        expect(await person.traces()).toEqual([]);
      } finally {
        await writers.stop();
      }
      for (const refusal of writers.refusals) expect(refusalsExpected).toContain(refusal);
      // Nor does it return with data in flight.
      await eventually(async () => expect(await onTheirWay()).toEqual([]));
      expect(await person.traces()).toEqual([]);
    },
  );

  describe.each(['customer', 'interaction', 'webhook', 'nats'])('when %s is killed', (name) => {
    test.each(rounds)('a deletion finishes without a further call, and nothing comes back (%i)', async () => {
      const person = await newPerson();
      const works = worksOn(person, await openBrowser(baseUrl, workspace, person.id));
      for (let times = 0; times < 3; times += 1) await Promise.all(works.map((work) => work()));

      const { answering } = await person.beginErasing(() => workspace.api.delete(person.path));
      await setTimeout(Math.random() * 40);
      await processes.end(name, 'SIGKILL');
      expect([200, 503, 504]).toContain((await answering).status);
      await eventually(async () => {
        const { body } = await workspace.api.get<{ kind: string; completedAt: string | null }[]>(
          `/erasures?customerId=${encodeURIComponent(person.id)}`,
        );
        expect(body.data).toMatchObject([{ kind: 'deletion', completedAt: expect.any(String) as string }]);
      });
      await eventually(async () => expect(await onTheirWay()).toEqual([]));
      // What was killed is reachable a little later.
      expect(await eventually(person.traces)).toEqual([]);
      const key = { 'idempotency-key': person.id };
      await eventually(async () => {
        const retried = await workspace.api.post('/customers', { id: person.id, ...person.person }, key);
        expect([retried.status, (await workspace.api.get(person.path)).status]).toEqual([404, 404]);
      });
    });

    test.each(rounds)('an anonymisation finishes without a further call (%i)', async () => {
      const person = await newPerson();
      const earlier = await openBrowser(baseUrl, workspace, person.id);
      const works = worksOn(person, earlier);
      for (let times = 0; times < 3; times += 1) await Promise.all(works.map((work) => work()));

      const { answering } = await person.beginErasing(person.anonymise);
      await setTimeout(Math.random() * 40);
      await processes.end(name, 'SIGKILL');
      const { status } = await answering;
      expect([200, 503, 504]).toContain(status);
      // A broker that was killed is reachable a little later.
      if (status === 200) expect(await eventually(person.traces)).toEqual([]);
      await eventually(async () => {
        const { body } = await workspace.api.get<{ firstName: string }>(person.path);
        expect(body).toMatchObject({ code: 200, data: { firstName: '' } });
      });
      await eventually(async () => expect(await person.traces()).toEqual([]), { everyMs: 500 });

      // The customer can be used again, and anonymised again.
      const later = { firstName: 'Quincy', lastName: 'Wexforth', email: 'qwx@example.com' };
      await eventually(async () => expect((await workspace.api.patch(person.path, later)).status).toBe(200));
      const { body } = await workspace.api.get(person.path);
      expect(body.data).toMatchObject(later);
      await eventually(async () => expect((await person.anonymise()).status).toBe(200));
      expect(findWords(await everythingStored(system.local()), Object.values(later))).toEqual([]);
    });
  });
}
