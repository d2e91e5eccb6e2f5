import { recoverPage } from '../src/log/recovery-store.ts';
import type { Hook } from './lanes.ts';
import { call, type Controls, listAll, of } from './controls.ts';

const day = 24 * 3_600_000;
/** So many days before now. */
export const daysAgo = (days: number): Date => new Date(Date.now() - days * day);

/** What a recovery is asked for; the last twenty days unless said otherwise. */
export interface Wanted {
  since?: Date | null;
  until?: Date | null;
  states?: string[];
  idempotency?: { scope: string; fingerprint: Buffer } | null;
}

/** Asks for a recovery of a webhook's deliveries. */
export const start = async (controls: Controls, hook: Hook, wanted: Wanted = {}) => {
  const request = { since: daysAgo(20), until: null, states: [], idempotency: null, ...wanted };
  const { recovery, replayed } = await controls.client.startRecovery({ ...of(hook), ...request }, call);
  if (!recovery) throw new Error('no recovery came back');
  return { ...recovery, replayed };
};

/** How far it came. */
export const readRecovery = (controls: Controls, hook: Hook, id: string) =>
  controls.client.getRecovery({ ...of(hook), id }, call);

/** Lets the pause between pages pass. */
export const pass = (controls: Controls) => controls.session.query('update recovery set next_at = now()');

/** Takes pages until there are none; as many replicas at once as given. */
export const recoverAll = async (controls: Controls, replicas = 1): Promise<void> => {
  for (;;) {
    await pass(controls);
    const pages = await Promise.all(Array.from({ length: replicas }, () => recoverPage(controls.db)));
    if (pages.every((webhookId) => webhookId === undefined)) return;
  }
};

/** What is to be delivered, oldest first. */
export const dueIds = async (controls: Controls, hook: Hook) =>
  (await listAll(controls, hook, { states: ['pending'] })).map(({ id }) => id).toReversed();
