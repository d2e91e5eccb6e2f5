import type {
  RedactCustomerRequest,
  RedactCustomerResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { holdsPersonalData } from '../../src/removal/personal-columns.ts';
import { callback, notice, survey } from '../definitions.ts';
import { call, dumpOf, idempotencyKey, type Interactions, startInteractions } from '../fixture.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from '../conversations.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

const person = { firstName: 'Zebedee', lastName: 'Quillfeather', email: 'zq@example.org' };
const typed = 'My neighbour Thessaly was rude';
const details = Object.values(person);

let workspace: WorkspaceWithConversations;
let botId: string;
let customerId: string;
beforeEach(async () => {
  workspace = workspaceWithConversations(system);
  botId = await workspace.publish(survey);
  customerId = uuidv7();
  system.people.set(customerId, person);
});

it('replaces every column that can hold something personal, and each column says whether it can', async () => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'interaction' and table_name = 'interaction'`.execute(system.db);
  const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(holdsPersonalData).map(snakeCase).toSorted(),
  );
});

/** The fields of an interaction that waits, with a bot that asks for a telephone number. */
async function waitingWith(context: Record<string, string>) {
  return { botId: await workspace.publish(callback), customerId, status: 'Pending', context } as const;
}

/** How many interactions an erasure has redacted, over all pages of a round. */
async function removedBy(customerVersion: number, firstVersion: number): Promise<number> {
  const pages = await pagesOf({ customerVersion, firstVersion, details });
  return pages.reduce((sum, page) => sum + page.interactionsRemoved, 0);
}

async function redact(given = details, customerVersion = 2): Promise<string[]> {
  const pages = await pagesOf({ customerVersion, details: given });
  return pages.flatMap(({ interactionIds }) => interactionIds);
}

async function pagesOf(
  round: Pick<RedactCustomerRequest, 'customerVersion' | 'firstVersion' | 'details'>,
): Promise<RedactCustomerResponse[]> {
  const request = { workspaceId: workspace.workspaceId, customerId, ...round };
  const pages: RedactCustomerResponse[] = [];
  let pageToken = '';
  do {
    const page = await system.interactions.redactCustomer({ ...request, pageToken }, call);
    pages.push(page);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return pages;
}

/** Answers the survey up to the question after the personal one, or to its end. */
async function conversation(id: string, answers: [stepId: string, value: unknown][]): Promise<void> {
  const session = await workspace.newSession(customerId);
  let { seq } = await workspace.begin(session, id);
  for (const [stepId, value] of answers) {
    const { snapshot } = await workspace.post(session, id, { seq, stepId, answer: { value } });
    seq = snapshot.seq;
  }
}

describe('redaction', () => {
  it('leaves no details and no personal answers in any table', async () => {
    const fields = {
      botId,
      customerId,
      status: 'Pending',
      context: { product: 'the desk of zebedee' },
    } as const;
    const finished = await workspace.create(fields);
    await conversation(finished.id, [
      ['score', 9],
      ['reason', `${typed}, says Quillfeather`],
    ]);
    const open = await workspace.create(fields);
    await conversation(open.id, [['score', 3]]);
    await workspace.tryCreate({ ...fields, status: 'InProgress', idempotency: idempotencyKey('a') });
    await workspace.tryCreate({
      botId: await workspace.publish(notice),
      customerId,
      status: 'InProgress',
      idempotency: idempotencyKey('b'),
    });
    const secrets = [...details, 'Thessaly'].map((secret) => secret.toLowerCase());
    const rowsWith = async (secret: string): Promise<string[]> => {
      const rows = await dumpOf(system);
      return rows
        .filter((row) => row.toLowerCase().includes(secret))
        .map((row) => row.slice(0, row.indexOf(':')));
    };
    expect(new Set(await rowsWith('zebedee'))).toEqual(new Set(['interaction', 'idempotency_record']));
    const takenOf = async (): Promise<string[]> =>
      (await dumpOf(system)).filter((row) => row.startsWith('message:') && row.includes(finished.id));
    expect(await takenOf()).toHaveLength(2);
    for (const secret of secrets) expect(await rowsWith(secret)).not.toEqual([]);

    const redacted = await redact();

    for (const secret of secrets) expect(await rowsWith(secret)).toEqual([]);
    // Nor hashes, from which a short answer can be guessed.
    expect(await takenOf()).toEqual([]);
    expect(redacted).toHaveLength(4);
    const { status, data } = await workspace.get(finished.id);
    expect(status).toBe('Completed');
    const history = JSON.parse(data ?? '') as { evaluation: unknown; transcript: { body: string }[] };
    expect(history.evaluation).toEqual({ score: '9', reason: '[removed]' });
    expect(history.transcript.map((entry) => entry.body)).toEqual([
      'Hi [removed]! This is about the desk of [removed].',
      'How likely are you to recommend it?',
      '9',
      'Why?',
      '[removed]',
      'Thank you, [removed]!',
    ]);
    // The webhook service stores no body with details from before this version.
    const { workspaceId } = workspace;
    const events = [{ workspaceId, interactionId: finished.id, status: 'Completed' as const }];
    const { bodies } = await system.interactions.listEventBodies({ events }, call);
    expect(bodies).toMatchObject([
      { result: Buffer.from(data ?? ''), customerVersion: 2, evaluation: history.evaluation },
    ]);
    for (const secret of secrets)
      expect(bodies[0]?.interaction.toString().toLowerCase()).not.toContain(secret);
  });

  it('leaves no repetition of personal answers and of marked context, also before the start', async () => {
    const context = { street: 'Elm Row 12', order: 'for elm row 12' };
    const fields = await waitingWith(context);
    const finished = await workspace.create(fields);
    await conversation(finished.id, [
      ['phone', '+49 30 1234567'],
      ['more', 'Call 030/123 45 67 at ELM  ROW 12'],
    ]);
    const waiting = await workspace.create({ ...fields, idempotency: idempotencyKey('a') });
    await redact();
    const rest = (await dumpOf(system)).filter((row) => row.includes(customerId));
    expect(rest.filter((row) => /elm|1234567|123 45 67/i.test(row))).toEqual([]);
    const removed = { street: '[removed]', order: 'for [removed]' };
    for (const { id } of [finished, waiting]) {
      const kept = (await workspace.get(id)).context.map(({ key, value }) => [key, value]);
      expect(Object.fromEntries(kept)).toEqual(removed);
    }
    const body = JSON.parse((await workspace.get(finished.id)).data ?? '') as { evaluation: unknown };
    expect(body.evaluation).toEqual({ phone: '[removed]', more: 'Call 0[removed] at [removed]' });
  });

  it('counts each interaction once per erasure, however often its pages and rounds are repeated', async () => {
    await workspace.create({ botId, customerId, status: 'Draft' });
    const finished = await workspace.create({ botId, customerId, status: 'Pending' });
    await conversation(finished.id, [
      ['score', 9],
      ['reason', typed],
    ]);
    const counts = [await removedBy(2, 2), await removedBy(2, 2), await removedBy(3, 2)];
    expect(counts).toEqual([2, 2, 2]);
    // A later erasure finds the new interaction only.
    system.people.set(customerId, { ...person, version: 3 });
    await workspace.create({ botId, customerId, status: 'Draft' });
    expect(await removedBy(4, 4)).toBe(1);
  });

  it('expires open interactions with an event that says why, and ends all links and sessions', async () => {
    const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'] as const;
    const made = [];
    for (const status of statuses) made.push(await workspace.create({ botId, customerId, status }));
    await redact();
    for (const before of made) {
      const after = await workspace.get(before.id);
      expect(after.status).toBe(before.status === 'Completed' ? 'Completed' : 'Expired');
      expect(after.linkToken).not.toBe(before.linkToken);
      expect(await system.conversations.openLink({ token: before.linkToken }, call)).toMatchObject({
        unavailable: true,
      });
    }
    const raised = await Promise.all(made.map(async ({ id }) => (await workspace.raised(id)).slice(-2)));
    const byIt = ['expired by anonymised', 'redacted'];
    expect(raised).toEqual([byIt, byIt, byIt, ['redacted'], ['redacted']]);
    expect((await workspace.list({ status: 'Expired' })).total).toBe(4);
  });

  it('proceeds in pages, and returns every interaction once', async () => {
    const notices = await workspace.publish(notice);
    const made = [];
    for (let index = 0; index < 103; index += 1) {
      made.push(await workspace.create({ botId: notices, customerId, status: 'InProgress' }));
    }
    expect(await redact()).toEqual(made.map(({ id }) => id));
    for (const { id } of made) {
      expect((await workspace.get(id)).data).toContain('on its way, [removed].');
    }
  });

  it('is idempotent, also without the details', async () => {
    const { id } = await workspace.create({ botId, customerId, status: 'Pending' });
    await conversation(id, [
      ['score', 9],
      ['reason', typed],
    ]);
    const first = await redact();
    const { data } = await workspace.get(id);
    expect(await redact()).toEqual(first);
    expect(await redact([])).toEqual(first);
    const { version } = await workspace.get(id);
    expect(await redact([], 2)).toEqual(first);
    expect((await workspace.get(id)).version).toBe(version);
    expect(await redact([], 3)).toEqual(first);
    expect((await workspace.get(id)).data).toBe(data);
  });

  it('removes the details of the conversation’s start, also if they have changed since', async () => {
    const { id } = await workspace.create({ botId, customerId, status: 'InProgress' });
    expect((await workspace.get(id)).data).toContain('Hi Zebedee!');
    await redact(['Other', 'Name']);
    expect((await workspace.get(id)).data).toContain('Hi [removed]!');
  });

  it('replays a creation without the personal data', async () => {
    const request = { botId, customerId, status: 'InProgress', idempotency: idempotencyKey('a') } as const;
    const { interaction } = await workspace.tryCreate(request);
    await redact();
    const again = await workspace.tryCreate(request);
    expect(again.replayed).toBe(true);
    expect(again.interaction).toMatchObject({ id: interaction?.id, status: 'InProgress' });
    expect(again.interaction?.data).toBe(interaction?.data?.replace('Zebedee', '[removed]'));
  });

  it('removes them from the replay too, in the evaluation', async () => {
    const evaluating = {
      ...survey,
      key: 'evaluating',
      evaluation: { ...survey.evaluation, product: {} },
      steps: [{ id: 'set', kind: 'set', evaluation: { product: 'context.product' } }, ...survey.steps],
    };
    const request = {
      botId: await workspace.publish(evaluating),
      customerId,
      status: 'InProgress',
      context: { product: person.firstName },
      idempotency: idempotencyKey('a'),
    } as const;
    const { interaction } = await workspace.tryCreate(request);
    expect(interaction?.data).toContain('"product":"Zebedee"');
    await redact(['Other', 'Name']);
    expect(
      (await dumpOf(system)).filter((row) => row.includes(customerId) && row.includes('Zebedee')),
    ).toEqual([]);
    const { data } = (await workspace.tryCreate(request)).interaction ?? {};
    expect(data).toBe(interaction?.data?.replaceAll('Zebedee', '[removed]'));
    await redact(['Other', 'Name']);
    expect((await workspace.tryCreate(request)).interaction?.data).toBe(data);
  });

  it('proceeds through the replays in pages, and keeps later ones unchanged', async () => {
    const notices = await workspace.publish(notice);
    const fields = { botId: notices, customerId, status: 'InProgress' } as const;
    const requests = Array.from({ length: 103 }, () => ({ ...fields, idempotency: idempotencyKey('a') }));
    for (const request of requests) await workspace.tryCreate(request);
    await redact();
    system.people.set(customerId, { ...person, version: 2 });
    const later = { ...fields, idempotency: idempotencyKey('b') };
    await workspace.tryCreate(later);
    await redact();
    for (const request of requests) {
      expect((await workspace.tryCreate(request)).interaction?.data).toContain('on its way, [removed].');
    }
    expect((await workspace.tryCreate(later)).interaction?.data).toContain('on its way, Zebedee.');
  });

  it("leaves other customers' and other workspaces' interactions unchanged", async () => {
    const neighbour = await workspace.create({ botId, customerId: 'zebedee', status: 'InProgress' });
    const other = workspaceWithConversations(system);
    const namesake = await other.create({
      botId: await other.publish(survey),
      customerId,
      status: 'InProgress',
    });
    await redact();
    expect(await workspace.get(neighbour.id)).toEqual(neighbour);
    expect(await other.get(namesake.id)).toEqual(namesake);
  });

  it('when resumed, keeps messages that were accepted since', async () => {
    const { id } = await workspace.create({ botId, customerId, status: 'Pending' });
    await conversation(id, [['score', 9]]);
    await redact();
    await workspace.update(id, { status: 'Pending', expirySeconds: 60 });
    system.people.set(customerId, { version: 2 });
    const session = await workspace.newSession(customerId);
    const { seq } = await workspace.begin(session, id);
    const message = { seq, stepId: 'reason', answer: { value: 'none' }, id: uuidv7() };
    const taken = await workspace.post(session, id, message);
    await redact();
    expect(await workspace.post(session, id, message)).toEqual(taken);
  });

  it('lets the conversation of a reopened one continue without the details', async () => {
    const { id } = await workspace.create({ botId, customerId, status: 'Pending' });
    await conversation(id, [['score', 9]]);
    await redact();
    await workspace.update(id, { status: 'Pending', expirySeconds: 60 });
    system.people.set(customerId, { firstName: '', lastName: '', email: '' });
    await conversation(id, [['reason', 'none']]);
    const { status, data } = await workspace.get(id);
    expect(status).toBe('Completed');
    expect(data).toContain('Thank you, friend!');
  });
});
