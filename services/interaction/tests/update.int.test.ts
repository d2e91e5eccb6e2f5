import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { saveInteraction } from '../src/changing/change-store.ts';
import { type InteractionChange, type InteractionRow, loadInteraction } from '../src/interactions/store.ts';
import { notice, survey } from './definitions.ts';
import { call, type Interactions, startInteractions, workspaceOf, type Workspace } from './fixture.ts';

let system: Interactions;
beforeAll(async () => {
  system = await startInteractions();
});
afterAll(() => system[Symbol.asyncDispose]());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(survey);
});

type Status = Interaction['status'];
const statuses: Status[] = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'];
const allowed: Record<string, Status[]> = {
  Draft: ['Draft', 'Pending', 'InProgress', 'Expired'],
  Pending: statuses,
  InProgress: ['InProgress', 'Completed', 'Expired'],
  Completed: ['Completed'],
  Expired: ['Expired'],
};
const raisedBy: Partial<Record<Status, string[]>> = {
  Draft: ['created'],
  Pending: ['created'],
  InProgress: ['created', 'started'],
};
const raisedInto: Partial<Record<Status, string[]>> = {
  InProgress: ['started'],
  Completed: ['completed'],
  Expired: ['expired by client'],
};
const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));

describe('a status given by the client', () => {
  it.each(pairs)('$from to $to follows the table of transitions', async ({ from, to }) => {
    const { id, version } = await workspace.create({ botId, status: from });
    if (!allowed[from]?.includes(to)) {
      await expect(workspace.update(id, { status: to })).rejects.toMatchObject({
        code: 'failed_precondition',
        type: 'illegal-transition',
        message: expect.stringMatching(new RegExp(`${from}.*${to}`)) as string,
      });
      expect(await workspace.get(id)).toMatchObject({ status: from, version });
      return;
    }
    const changed = await workspace.update(id, { status: to });
    expect(changed).toMatchObject({ status: to, version: from === to ? version : version + 1 });
    expect(await workspace.get(id)).toEqual(changed);
    const later = from === to ? [] : (raisedInto[to] ?? []);
    expect(await workspace.raised(id)).toEqual([...(raisedBy[from] ?? []), ...later]);
  });

  it('reopens an expired one only as Pending with a future expiry', async () => {
    const { id } = await workspace.create({ botId, status: 'Expired' });
    for (const change of [
      { status: 'Pending', expirySeconds: 0 },
      { status: 'Draft', expirySeconds: 60 },
    ] as const) {
      await expect(workspace.update(id, change)).rejects.toMatchObject({ type: 'illegal-transition' });
    }
    const back = await workspace.update(id, { status: 'Pending', expirySeconds: 60 });
    expect(back.status).toBe('Pending');
    expect(back.expiresAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('starts the conversation with InProgress', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    const { data } = await workspace.update(id, { status: 'InProgress' });
    expect(JSON.parse(data ?? '')).toMatchObject({ transcript: [{ type: 'bot' }, { type: 'bot' }] });
  });

  it('completes with InProgress when the bot ends at once', async () => {
    const { id } = await workspace.create({ botId: await workspace.publish(notice), status: 'Draft' });
    expect((await workspace.update(id, { status: 'InProgress' })).status).toBe('Completed');
    expect(await workspace.raised(id)).toEqual(['created', 'started', 'completed']);
  });

  it('continues the conversation when an expired one is reopened and started', async () => {
    const { id } = await workspace.create({ botId, status: 'InProgress' });
    const { data } = await workspace.update(id, { status: 'Expired' });
    await workspace.update(id, { status: 'Pending', expirySeconds: 60 });
    expect(await workspace.update(id, { status: 'InProgress' })).toMatchObject({
      status: 'InProgress',
      data,
    });
    // It has started once.
    expect(await workspace.raised(id)).toEqual(['created', 'started', 'expired by client', 'resumed']);
  });
});

describe('priority and expiry', () => {
  it.each(statuses)('priority can change while the status is %s', async (status) => {
    const { id } = await workspace.create({ botId, status });
    expect(await workspace.update(id, { priority: 'High' })).toMatchObject({ status, priority: 'High' });
  });

  it('expiry counts from the call, and 0 clears it', async () => {
    const { id } = await workspace.create({ botId, expirySeconds: 10 });
    const before = Date.now();
    const { expiresAt } = await workspace.update(id, { expirySeconds: 3_600 });
    expect(expiresAt?.getTime()).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(expiresAt?.getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000);
    expect((await workspace.update(id, { expirySeconds: 0 })).expiresAt).toBeNull();
  });

  it.each(['Completed', 'Expired'] as const)(
    'expiry cannot change while the status is %s',
    async (status) => {
      const { id } = await workspace.create({ botId, status, expirySeconds: 600 });
      for (const change of [{ expirySeconds: 60 }, { expirySeconds: 0 }, { expirySeconds: 60, status }]) {
        await expect(workspace.update(id, change)).rejects.toMatchObject({
          code: 'failed_precondition',
          type: 'illegal-expiry',
        });
      }
    },
  );

  it.each(statuses)('clearing an absent expiry changes nothing, also while %s', async (status) => {
    const made = await workspace.create({ botId, status });
    expect(await workspace.update(made.id, { expirySeconds: 0 })).toEqual(made);
    expect(await workspace.update(made.id, { expirySeconds: 0, status })).toEqual(made);
  });

  it.each(['Completed', 'Expired'] as const)('one that becomes %s takes no expiry', async (status) => {
    const { id } = await workspace.create({ botId, status: 'Pending', expirySeconds: 600 });
    const refused = workspace.update(id, { status, expirySeconds: 3_600 });
    await expect(refused).rejects.toMatchObject({ code: 'failed_precondition', type: 'illegal-expiry' });
    expect(await workspace.get(id)).toMatchObject({ status: 'Pending', version: 1 });
    expect(await workspace.update(id, { status, expirySeconds: 0 })).toMatchObject({
      status,
      expiresAt: null,
    });
  });

  it.each([-1, 400_000_000])('expiry of %d seconds is rejected', async (expirySeconds) => {
    const { id } = await workspace.create({ botId });
    await expect(workspace.update(id, { expirySeconds })).rejects.toMatchObject({
      faults: [{ pointer: '/expiry' }],
    });
  });

  it('all change in one call, or none when one is rejected', async () => {
    const { id } = await workspace.create({ botId, status: 'InProgress' });
    await expect(
      workspace.update(id, { status: 'Draft', priority: 'Low', expirySeconds: 60 }),
    ).rejects.toMatchObject({ type: 'illegal-transition' });
    expect(await workspace.get(id)).toMatchObject({ priority: 'Medium', expiresAt: null });
    const changed = await workspace.update(id, { status: 'Completed', priority: 'Low' });
    expect(changed).toMatchObject({ status: 'Completed', priority: 'Low', version: 2 });
  });
});

describe('versions of the row', () => {
  afterEach(() => void vi.useRealTimers());

  it('stay when the expiry does not change', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { id } = await workspace.create({ botId });
    const { expiresAt, version } = await workspace.update(id, { expirySeconds: 3_600 });
    expect(await workspace.update(id, { expirySeconds: 3_600 })).toMatchObject({ expiresAt, version });
    const cleared = await workspace.update(id, { expirySeconds: 0 });
    expect(cleared).toMatchObject({ expiresAt: null, version: version + 1 });
    expect((await workspace.update(id, { expirySeconds: 0 })).version).toBe(cleared.version);
  });

  it('reject a change for another version, and accept one for the current version', async () => {
    const { id, version } = await workspace.create({ botId });
    const changed = await workspace.update(id, { priority: 'Low', ifVersion: version });
    expect(changed.version).toBe(version + 1);
    await expect(workspace.update(id, { priority: 'High', ifVersion: version })).rejects.toMatchObject({
      code: 'aborted',
      type: 'precondition-failed',
    });
  });

  it('that are outdated run one statement, alone and beside others', async () => {
    const { workspaceId } = workspace;
    const loaded = async (): Promise<InteractionRow> => {
      const { id } = await workspace.create({ botId, status: 'Pending' });
      const row = await loadInteraction(system.db, workspaceId, id);
      if (!row) throw new Error('there is no row');
      return row;
    };
    const change: InteractionChange = { priority: 'High' };
    const save = (before: InteractionRow) =>
      saveInteraction(system.db, { before, change, events: [], message: null });
    const [changed, current] = [await loaded(), await loaded()];
    await workspace.update(changed.id, { priority: 'Low' });
    const run = vi.spyOn(system.db, 'executeQuery');
    onTestFinished(() => run.mockRestore());
    expect(await save(changed)).toBeUndefined();
    expect(run).toHaveBeenCalledTimes(1);
    expect(await Promise.all([changed, current, current].map(save))).toEqual([
      undefined,
      expect.objectContaining({ id: current.id, priority: 'High', version: current.version + 1 }),
      undefined,
    ]);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('are planned once, not for each change', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    let before = await loadInteraction(system.db, workspace.workspaceId, id);
    for (let changes = 0; changes < 20 && before; changes += 1) {
      const change: InteractionChange = { priority: changes % 2 ? 'High' : 'Low', seq: changes };
      before = await saveInteraction(system.db, { before, change, events: [], message: null });
    }
    // The only connection for writes.
    const { rows } = await sql<{ planned: number; reused: number }>`
      select custom_plans as planned, generic_plans as reused from pg_prepared_statements
      where statement like '%locked as%' and statement like '%set "priority" = "new"."priority", "seq"%'
        and statement like '%skip locked%'`.execute(system.db);
    expect(rows).toEqual([{ planned: 5, reused: 15 }]);
  });

  it('wait while others have the row, and are saved if it stays as it was', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    const before = await loadInteraction(system.db, workspace.workspaceId, id);
    if (!before) throw new Error('there is no row');
    await using connection = await openSqlConnection(system.adminUrl);
    await connection.query('begin');
    await connection.query('select from interaction.interaction where id = $1 for update', [id]);
    const change: InteractionChange = { priority: 'High' };
    const saving = saveInteraction(system.db, { before, change, events: [], message: null });
    await eventually(async () => {
      const waiting = await connection.query(
        `select from pg_locks where not granted and pid in (
           select pid from pg_stat_activity where datname = current_database())`,
      );
      expect(waiting).toHaveLength(1);
    });
    await connection.query('rollback');
    expect(await saving).toMatchObject({ id, priority: 'High', version: before.version + 1 });
  });

  it('accept exactly one of ten concurrent conditional changes', async () => {
    const { id, version } = await workspace.create({ botId, status: 'Pending' });
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => workspace.update(id, { status: 'Completed', ifVersion: version })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('accept all of ten concurrent unconditional changes', async () => {
    const { id } = await workspace.create({ botId });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => workspace.update(id, { expirySeconds: 100 + index })),
    );
    expect((await workspace.get(id)).version).toBe(11);
  });
});

describe('the version of the bot', () => {
  const renamed = { ...survey, steps: [{ id: 'hi', kind: 'end', text: 'Version two.' }] };
  const publishTwo = () =>
    system.bots.publishBotVersion(
      {
        workspaceId: workspace.workspaceId,
        id: botId,
        definition: JSON.stringify(renamed),
        idempotency: null,
      },
      call,
    );

  it('is pinned when the conversation starts, also across an expiry', async () => {
    const { id, data } = await workspace.create({ botId, status: 'InProgress' });
    await publishTwo();
    await workspace.update(id, { status: 'Expired' });
    await workspace.update(id, { status: 'Pending', expirySeconds: 60 });
    expect(await workspace.update(id, { status: 'InProgress' })).toMatchObject({
      status: 'InProgress',
      data,
    });
  });

  it('is the current one at the start, not at the creation', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    await publishTwo();
    const started = await workspace.update(id, { status: 'InProgress' });
    expect(started.status).toBe('Completed');
    expect(started.data).toContain('Version two.');
  });
});
