import { counter, observedUpDownCounter } from './metrics.ts';

/**
 * Why work did not start. `given_up`: its caller gave up. `busy`: too much work of its tenant waited (429). `stuck`:
 * none of its tenant's work ended while it waited (503).
 */
export const refusalReasons = ['given_up', 'busy', 'stuck'] as const;

export type RefusalReason = (typeof refusalReasons)[number];

export const waitingWork = observedUpDownCounter({
  name: 'parley.work.waiting',
  unit: '{work}',
  description: 'Work that waits for its turn, by class',
  attributes: ['class'],
});

export const refusedWork = counter({
  name: 'parley.work.refused',
  unit: '{work}',
  description: 'Work that left its queue without running',
  attributes: ['class', 'reason'],
});
