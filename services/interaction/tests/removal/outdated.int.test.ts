import type { Retention } from '@parley/contracts/common/v1/common';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { notice } from '../definitions.ts';
import { call, type Interactions, startInteractions, type Workspace, workspaceOf } from '../fixture.ts';

let service: Interactions;
let workspace: Workspace;
let botId: string;

beforeAll(async () => {
  service = await startInteractions();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  workspace = workspaceOf(service);
  botId = await workspace.publish(notice);
});

const statuses = ['Completed', 'Expired', 'InProgress', 'Draft', 'Pending'] as const;

/** Creates an interaction that nobody has changed for so many days, and whose events have their places in the log. */
async function aged(status: (typeof statuses)[number], days: number): Promise<string> {
  const { id } = await workspace.create({ botId: await botFor(status), status });
  const { workspaceId } = workspace;
  await sql`
    update interaction set updated_at = now() - make_interval(days => ${days})
    where workspace_id = ${workspaceId} and id = ${id}`.execute(service.db);
  await sql`
    update event_log set position = nextval('event_position')
    where workspace_id = ${workspaceId} and position is null`.execute(service.db);
  return id;
}

/** A bot whose conversation waits, or ends at once. */
async function botFor(status: string): Promise<string> {
  return status === 'InProgress'
    ? workspace.publish({
        ...notice,
        key: `asks-${uuidv7()}`,
        steps: [
          { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' } },
          { id: 'end', kind: 'end', text: 'Bye' },
        ],
      })
    : botId;
}

async function listed(retention: Retention): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = '';
  do {
    const request = { workspaceId: workspace.workspaceId, retention, pageToken };
    const page = await service.interactions.listOutdated(request, call);
    ids.push(...page.interactionIds);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return ids;
}

const remove = (retention: Retention, interactionIds: string[]) =>
  service.interactions.deleteOutdated(
    { workspaceId: workspace.workspaceId, retention, interactionIds },
    call,
  );

const count = (retention: Retention) =>
  service.interactions.countOutdated({ workspaceId: workspace.workspaceId, retention }, call);

it('lists, counts and deletes by status and by the days since the last change', async () => {
  const [completed, expired, running, draft, pending] = await Promise.all(
    statuses.map((one) => aged(one, 10)),
  );
  for (const status of statuses) await aged(status, 5);
  const none = { completed: 0, ended: 0, draft: 0 };
  expect(await listed({})).toEqual([]);
  expect(await count({})).toEqual(none);
  expect(await listed({ completedDays: 7 })).toEqual([completed]);
  expect(await listed({ endedDays: 7 })).toEqual([expired, running]);
  expect(await listed({ draftDays: 7 })).toEqual([draft, pending]);
  expect(await count({ completedDays: 7, endedDays: 3 })).toEqual({ completed: 1, ended: 4, draft: 0 });
  const all = await listed({ completedDays: 7, endedDays: 7, draftDays: 7 });
  expect(await remove({ completedDays: 7, endedDays: 7, draftDays: 7 }, all)).toEqual({ deleted: 5 });
  expect((await workspace.list()).total).toBe(5);
  expect(await remove({ completedDays: 7 }, all)).toEqual({ deleted: 0 });
});

it('leaves an interaction that has changed since it was listed, and those of other workspaces', async () => {
  const id = await aged('Draft', 10);
  const retention = { draftDays: 7 };
  expect(await listed(retention)).toEqual([id]);
  const foreign = { workspaceId: uuidv7(), retention, interactionIds: [id] };
  expect(await service.interactions.deleteOutdated(foreign, call)).toEqual({ deleted: 0 });
  await workspace.update(id, { priority: 'High' });
  expect(await remove(retention, [id])).toEqual({ deleted: 0 });
  expect(await listed(retention)).toEqual([]);
});

it('leaves an interaction with an event that no consumer can have read', async () => {
  const id = await aged('Pending', 10);
  await sql`
    update event_log set position = null
    where workspace_id = ${workspace.workspaceId} and about = ${id}`.execute(service.db);
  expect(await remove({ draftDays: 7 }, [id])).toEqual({ deleted: 0 });
});

it('goes on in pages, also of the same instant', async () => {
  for (let number = 0; number < 101; number += 1) await workspace.create({ botId });
  await sql`
    update interaction set updated_at = date_trunc('milliseconds', now()) - interval '9 days'
    where workspace_id = ${workspace.workspaceId}`.execute(service.db);
  const ids = await listed({ draftDays: 7 });
  expect(new Set(ids).size).toBe(101);
  expect(ids).toHaveLength(101);
});
