import type { Insight } from '@parley/client';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, inject } from 'vitest';
import { openBrowser } from '../conversations/conversation.ts';

/** What becomes of an interaction. */
export interface Planned {
  customerId: string;
  /** Default: `Pending`. */
  status?: 'Pending' | 'Completed' | 'Expired';
  /** Null skips. Without answers, the customer does not open the conversation. */
  answers?: unknown[];
  /** What follows when the customer leaves. */
  becomes?: 'expired' | 'stalled';
  isTest?: true;
}

export interface Place {
  baseUrl: string;
  postgresUrl: string;
  workspace: TestWorkspace;
  botId: string;
}

export async function newPlace(definition: Record<string, unknown>): Promise<Place> {
  const { baseUrl, postgresUrl } = inject('local');
  const workspace = await createWorkspace(baseUrl, inject('operator'));
  const { id: botId } = await workspace.client.bots.create(definition);
  return { baseUrl, postgresUrl, workspace, botId };
}

/** Creates an interaction, and holds its conversation over the public API. Returns its id. */
export async function hold(place: Place, planned: Planned): Promise<string> {
  const { customerId, status = 'Pending', answers, becomes, ...others } = planned;
  const { workspace, botId } = place;
  const { interactions } = workspace.client;
  const { id } = await interactions.create({ customerId, botId, status, ...others });
  if (answers) {
    const browser = await openBrowser(place.baseUrl, workspace, customerId);
    let snapshot = await browser.start(id);
    for (const value of answers)
      snapshot = await browser.say(id, snapshot, value === null ? { skip: true } : { value });
  }
  if (becomes === 'expired') await interactions.update(id, { status: 'Expired' });
  if (becomes === 'stalled') await letStall(place, id);
  return id;
}

/** Makes a conversation as old as its bot allows, and waits until it has stalled. */
async function letStall({ postgresUrl }: Place, id: string): Promise<void> {
  await using connection = await openSqlConnection(postgresUrl);
  // As the service has it: the table has a trigger.
  await connection.query('set search_path = interaction');
  await connection.query('update interaction set stalls_at = now() where id = $1', [id]);
  await eventually(async () => {
    const rows = await connection.query('select from interaction where id = $1 and stalls_at is null', [id]);
    expect(rows).toHaveLength(1);
  });
}

/** Moves the creation of a conversation in progress. The next answer or round counts it there. */
export async function moveCreation({ postgresUrl }: Place, id: string, at: string): Promise<void> {
  await using connection = await openSqlConnection(postgresUrl);
  await connection.query('set search_path = interaction');
  const moved = 'update interaction set created_at = $2, version = version + 1 where id = $1';
  await connection.query(moved, [id, at]);
}

type Query = NonNullable<Parameters<TestWorkspace['client']['bots']['getInsight']>[1]>;

/** Returns the figures with everything that has happened until now. */
export function figuresOf({ workspace, botId }: Place, query: Query = {}): Promise<Insight> {
  const now = Date.now();
  return eventually(
    async () => {
      const insight = await workspace.client.bots.getInsight(botId, query);
      expect(Date.parse(`${insight.asOf}Z`)).toBeGreaterThan(now);
      return insight;
    },
    { everyMs: 250 },
  );
}

/** Holds one conversation after another. Returns the ids of the interactions. */
export async function holdAll(place: Place, planned: readonly Planned[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of planned) ids.push(await hold(place, one));
  return ids;
}

/** Returns what is counted of each step: seen, answered, skipped, dropped. */
export const stepsOf = ({ steps }: Insight) =>
  Object.fromEntries(
    steps.map(({ stepId, seen, answered, skipped, dropped }) => [stepId, [seen, answered, skipped, dropped]]),
  );

/** Returns how many have taken each way, by the ids of its steps. */
export const waysOf = ({ ways = [] }: Insight) =>
  Object.fromEntries(ways.map(({ from, to, n }) => [`${from} ${to}`, n]));

export const countsOf = ({ totals }: Insight) => {
  const { created, started, completed, expired, stalled, active } = totals;
  return { created, started, completed, expired, stalled, active };
};

/** What bots have in common. */
export const header = { schemaVersion: 1, type: 'Feedback' };
export const end = { id: 'bye', kind: 'end' };
/** Returns a question whose answer is in the evaluation under the same name. */
export const ask = (id: string, input: object, others: object = {}) => ({
  id,
  kind: 'ask',
  text: `Your ${id}?`,
  input,
  evaluation: id,
  ...others,
});
export const score = ask('score', { type: 'nps' });
/** A bot that asks for a score. */
export const simple = {
  ...header,
  key: 'simple',
  name: 'Simple',
  evaluation: { score: {} },
  steps: [score, end],
};
