/** succeeded, failed: after an attempt; skipped: the webhook was inactive; discarded: the webhook was deleted. */
export const finalStates = ['succeeded', 'failed', 'skipped', 'discarded'] as const;

export type FinalState = (typeof finalStates)[number];
