import { counter, observedUpDownCounter } from './metrics.ts';

/** Why work did not start: its caller gave up, it waited too long, or too much of its tenant's work waited. */
export type RefusalReason = 'given_up' | 'too_long' | 'too_many';

/** The work that waits for a slot. */
export const waitingWork = observedUpDownCounter({
  name: 'parley.work.waiting',
  unit: '{work}',
  description: 'Work that waits for its turn, by class',
  attributes: ['class'],
});

/** The work that left a queue without running. */
export const refusedWork = counter({
  name: 'parley.work.refused',
  unit: '{work}',
  description: 'Work that left its queue without running',
  attributes: ['class', 'reason'],
});
