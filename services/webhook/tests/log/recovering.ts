import { recoverPage } from '../../src/controls/recovery-store.ts';
import { call, type Controls, listAll, of } from '../controls.ts';
import type { Hook } from '../lanes/lanes.ts';

const day = 24 * 3_600_000;
/** Returns the time this many days ago. */
export const daysAgo = (days: number): Date => new Date(Date.now() - days * day);

/** The options of a recovery; default: the last twenty days. */
export interface Wanted {
  since?: Date | null;
  until?: Date | null;
  states?: string[];
  idempotency?: { scope: string; fingerprint: Buffer } | null;
}

/** Requests a recovery of a webhook's deliveries. */
export const start = async (controls: Controls, hook: Hook, wanted: Wanted = {}) => {
  const request = { since: daysAgo(20), until: null, states: [], idempotency: null, ...wanted };
  const { recovery, replayed } = await controls.client.startRecovery({ ...of(hook), ...request }, call);
  if (!recovery) throw new Error('no recovery came back');
  return { ...recovery, replayed };
};

export const readRecovery = (controls: Controls, hook: Hook, id: string) =>
  controls.client.getRecovery({ ...of(hook), id }, call);

/** Skips the pause between pages. */
export const pass = (controls: Controls) => controls.session.query('update recovery set next_at = now()');

/** Processes pages until none is left, with as many concurrent replicas as given. */
export const recoverAll = async (controls: Controls, replicas = 1): Promise<void> => {
  for (;;) {
    await pass(controls);
    const pages = await Promise.all(Array.from({ length: replicas }, () => recoverPage(controls.db)));
    if (pages.every((webhookId) => webhookId === undefined)) return;
  }
};

/** Returns the due deliveries, oldest first. */
export const dueIds = async (controls: Controls, hook: Hook) =>
  (await listAll(controls, hook, { states: ['pending'] })).map(({ id }) => id).toReversed();
