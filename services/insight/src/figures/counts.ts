import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';
import { bucketOf, type Figure, figureNameOf, type State } from './counters.ts';

/** What one interaction adds to the counters: by name. */
export type Counts = Record<string, number>;

/** Returns what an interaction adds to the counters of its bot, version and hour. An import adds nothing. */
export function countsOf(facts: ConversationFacts): Counts {
  const counts: Counts = {};
  const add = (...figure: Figure): void => {
    counts[figureNameOf(figure)] = 1;
  };
  if (facts.isImport || facts.isTest) return counts;
  add('created');
  if (facts.isUnknown) {
    add('unknown');
    return counts;
  }
  const state = stateOf(facts);
  for (const { stepId, outcome } of facts.steps) {
    add('step', 'seen', stepId);
    if (outcome === 'Answered') add('step', 'answered', stepId);
    if (outcome === 'Skipped') add('step', 'skipped', stepId);
  }
  for (const { fromStepId, toStepId } of facts.ways) add('way', fromStepId, toStepId);
  if ((state === 'expired' || state === 'stalled') && facts.lastStepId !== '') {
    add('step', 'dropped', facts.lastStepId);
  }
  if (!isStarted(facts)) return counts;
  add('started');
  add(state);
  if (state === 'completed' && facts.startedAt && facts.completedAt) {
    add(
      'time',
      'elapsed',
      String(bucketOf((facts.completedAt.getTime() - facts.startedAt.getTime()) / 1_000)),
    );
    if (typeof facts.activeSeconds === 'number')
      add('time', 'attended', String(bucketOf(facts.activeSeconds)));
  }
  for (const { key, kind, values } of facts.evaluation) {
    add('has', kind, key);
    for (const value of values) add('value', kind, key, value);
  }
  return counts;
}

/** Returns the present state. A reopened interaction is active, also before the customer returns. */
function stateOf({ status, isStalled }: ConversationFacts): State {
  if (status === 'Completed') return 'completed';
  if (status === 'Expired') return 'expired';
  return isStalled ? 'stalled' : 'active';
}

/** Returns whether the customer has answered or skipped a question. */
function isStarted({ steps }: ConversationFacts): boolean {
  return steps.some(({ outcome }) => outcome !== 'OUTCOME_UNSPECIFIED');
}
