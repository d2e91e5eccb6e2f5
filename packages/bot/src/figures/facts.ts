import type { ConversationState, ShownStep } from '../plan/conversation.ts';
import type { BotDefinition } from '../definition/format.ts';
import { waysOf } from '../engine/ways.ts';
import { ownValue, planOf } from '../plan/plan.ts';
import { typeNamed } from '../questions/types.ts';
import { questionsOf, type ValueKind } from './questions.ts';

/** What can be counted about a conversation: no text of the customer, and no personal value. */
export type Facts = {
  /** The questions that were shown, each once, in the order of their last showing. */
  steps: ShownStep[];
  /** The question that was shown last; null without one. */
  lastStepId: string | null;
  /** The ways between steps that were taken, each once, by the ids of the steps. */
  ways: { from: string; to: string }[];
  /** The keys that the evaluation has, with the values that can be counted: several of a `multiChoice`. */
  evaluation: { key: string; kind: ValueKind; values: string[] }[];
};

export type FactualState = Pick<ConversationState, 'stepId' | 'answers' | 'steps' | 'ways' | 'ownWords'>;

/**
 * Returns the facts of a conversation that runs on the definition. One that was started before its state had `steps`
 * has only the questions that are answered, and the current one. One that was started before its state had `ways` has
 * none.
 */
export function factsOf(
  definition: BotDefinition,
  state: FactualState,
  evaluation: Record<string, string>,
): Facts {
  const steps = state.steps ?? answeredSteps(definition, state);
  return {
    steps: steps.map((step) => ({ ...step })),
    lastStepId: steps.at(-1)?.id ?? null,
    ways: waysOf(state.ways ?? []).map(({ from, to }) => ({
      from: idAt(definition, from),
      to: idAt(definition, to),
    })),
    evaluation: questionsOf(definition).evaluation.flatMap(({ key, kind, values: possible }) => {
      const text = ownValue(evaluation, key);
      return text === undefined
        ? []
        : [{ key, kind, values: valuesOf(kind, text, possible, ownValue(state.ownWords ?? {}, key)) }];
    }),
  };
}

function idAt({ steps }: BotDefinition, index: number): string {
  const step = steps[index];
  if (step === undefined) throw new Error(`The definition has no step ${index}: not its state`);
  return step.id;
}

function answeredSteps(definition: BotDefinition, { stepId, answers }: FactualState): ShownStep[] {
  const answered = [...planOf(definition).asks.keys()].filter(
    (id) => Object.hasOwn(answers, id) && id !== stepId,
  );
  const steps = answered.map((id): ShownStep => ({ id, outcome: 'answered' }));
  return stepId === null ? steps : [...steps, { id: stepId }];
}

/** `choicesBefore`: the text ends with words of the customer's own, which count as `other`. */
function valuesOf(
  kind: ValueKind,
  text: string,
  possible: readonly string[],
  choicesBefore: number | undefined,
): string[] {
  if (kind === 'text') return [];
  const { partsOf, countedValues } = typeNamed(kind);
  if (choicesBefore === undefined) return countedValues(partsOf(text), possible);
  return countedValues([...partsOf(text).slice(0, choicesBefore), 'other'], possible);
}
