/** succeeded and failed: by attempts; skipped: its webhook was deactivated; discarded: its webhook was deleted. */
export const finalStates = ['succeeded', 'failed', 'skipped', 'discarded'] as const;

export type FinalState = (typeof finalStates)[number];
