import type { BotDefinition } from '@parley/bot/definition';
import { factsOf } from '@parley/bot/facts';
import { countedPause } from '@parley/bot/open-conversation';
import { factKindOf } from '@parley/bot/questions';
import type { ShownStep } from '@parley/bot/conversation';
import type { ConversationFacts, StepFact } from '@parley/contracts/interaction/v1/facts';
import { epochSeconds } from '../interactions/turn-change.ts';
import type { FactualRow } from './store.ts';

const outcomes: Record<NonNullable<ShownStep['outcome']>, StepFact['outcome']> = {
  answered: 'Answered',
  skipped: 'Skipped',
};

/** `definition` is what the conversation runs on; null before its start. */
export function factsOfRow(row: FactualRow, definition: BotDefinition | null): ConversationFacts {
  const { state } = row;
  const facts = state && definition && factsOf(definition, stateOf(state), row.evaluation ?? {});
  return {
    ...bareFactsOf(row),
    isStalled: isQuiet(row) && definition?.stalledAfterSeconds !== null,
    isUnknown: false,
    activeSeconds: activeSecondsOf(row),
    steps: (facts?.steps ?? []).map(({ id: stepId, outcome }) => ({
      stepId,
      outcome: outcome ? outcomes[outcome] : 'OUTCOME_UNSPECIFIED',
    })),
    lastStepId: facts?.lastStepId ?? '',
    ways: (facts?.ways ?? []).map(({ from, to }) => ({ fromStepId: from, toStepId: to })),
    evaluation: (facts?.evaluation ?? []).map(({ key, kind, values }) => ({
      key,
      kind: factKindOf(kind),
      values,
    })),
  };
}

export function unknownFacts(row: FactualRow): ConversationFacts {
  return { ...bareFactsOf(row), isStalled: isQuiet(row), isUnknown: true };
}

function bareFactsOf(row: FactualRow): Omit<ConversationFacts, 'isStalled' | 'isUnknown'> {
  const { id: interactionId, workspaceId, botId, botVersion, status, version, isImport } = row;
  const isTest = row.isTest || undefined;
  const { createdAt, startedAt, completedAt } = row;
  const times = { createdAt, startedAt, completedAt };
  const nothing = { steps: [], lastStepId: '', ways: [], evaluation: [] };
  const marks = { isImport, isTest };
  return { workspaceId, interactionId, botId, botVersion, status, version, ...marks, ...times, ...nothing };
}

/** Returns whether nobody has answered for as long as the bot states, if it does. */
function isQuiet({ status, stallsAt }: FactualRow): boolean {
  return status === 'InProgress' && stallsAt === null;
}

/** Returns the state as the engine has it: an absent part of the row is null. */
function stateOf({ stepId, answers, steps, ways, ownWords }: NonNullable<FactualRow['state']>) {
  return {
    stepId,
    answers: answers ?? {},
    ...(steps && { steps }),
    ...(ways && { ways }),
    ...(ownWords && { ownWords }),
  };
}

/** Returns the seconds of a completed conversation, from its last entry to a completion by a call too. */
function activeSecondsOf({ state, completedAt }: FactualRow): number | undefined {
  if (!state || !completedAt || typeof state.activeSeconds !== 'number') return undefined;
  return state.activeSeconds + countedPause(state.lastTimestamp, epochSeconds(completedAt));
}
