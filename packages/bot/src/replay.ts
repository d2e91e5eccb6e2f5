import type { AnswerValue } from './answer-forms.ts';
import type { ConversationState, ModelOutcome, Turn } from './conversation.ts';
import { answer, start } from './engine.ts';
import type { AskStep, BotDefinition, LlmStep } from './format.ts';
import { answerModel } from './model-answer.ts';
import { outputs } from './outputs.ts';
import { own, planOf } from './plan.ts';

/** The part of a finished conversation's state that a replay needs. */
export type RecordedState = Pick<
  ConversationState,
  'answers' | 'evaluation' | 'steps' | 'customer' | 'context' | 'locale' | 'lastTimestamp'
>;

/** The way of a conversation through a definition. */
export type Course = {
  /** The questions that were asked, in their order. */
  stepIds: string[];
  /** The `end` step; null if the conversation stopped, or was closed because of its size. */
  endStepId: string | null;
  evaluation: Record<string, string>;
  /** The question that the recorded answers do not answer, so that the course goes no further. */
  stopped: { stepId: string; reason: 'no-answer' | 'refused' } | null;
};

/** What differs between the courses of one conversation through two definitions. */
export type CourseDiff = {
  before: Course;
  after: Course;
  /** Whether other questions are asked, or in another order. */
  takesAnotherWay: boolean;
  /** Whether it reaches another `end` step. False if the later course stops. */
  endsDifferently: boolean;
  /** The evaluation keys whose values differ. Empty if the later course stops. */
  evaluationKeys: string[];
};

/** A conversation asks no more questions than this. A definition that asks for ever is closed by its size before. */
const questionsMax = 500;

/**
 * Replays a finished conversation: each question gets the answer that the customer gave to the question of the same id,
 * and each step of the model the values that it found. Chats are passed over. A question without a recorded answer is
 * skipped, if that is possible. Pure: bounds such as `today` count from the end of the recorded conversation.
 */
export function replay(definition: BotDefinition, recorded: RecordedState): Course {
  const { customer, context, locale, lastTimestamp: now } = recorded;
  const stepIds: string[] = [];
  let turn = passModel(
    definition,
    recorded,
    start(definition, { customer, context, locale, now, hasModel: true }),
  );
  while (turn.input !== null && stepIds.length < questionsMax) {
    const { stepId } = turn.input;
    stepIds.push(stepId);
    const given = answerTo(planOf(definition).asks.get(stepId), recorded);
    if (given === undefined) return courseOf(turn, stepIds, { stepId, reason: 'no-answer' });
    const outcome = answer(definition, turn.state, { stepId, answer: given, now, hasModel: true });
    if ('rejected' in outcome) return courseOf(turn, stepIds, { stepId, reason: 'refused' });
    turn = passModel(definition, recorded, outcome);
  }
  return courseOf(turn, stepIds, null);
}

/**
 * Returns what differs, or undefined if nothing does. The same way of replaying on both sides leaves only what the
 * definitions cause.
 */
export function compareCourses(before: Course, after: Course): CourseDiff | undefined {
  const isWhole = after.stopped === null;
  const diff: CourseDiff = {
    before,
    after,
    takesAnotherWay: before.stepIds.join() !== after.stepIds.join(),
    endsDifferently: isWhole && before.endStepId !== after.endStepId,
    evaluationKeys: isWhole ? differingKeys(before.evaluation, after.evaluation) : [],
  };
  const isSame =
    isWhole && !diff.takesAnotherWay && !diff.endsDifferently && diff.evaluationKeys.length === 0;
  return isSame ? undefined : diff;
}

function courseOf({ evaluation, endStepId }: Turn, stepIds: string[], stopped: Course['stopped']): Course {
  return { stepIds, endStepId, evaluation, stopped };
}

function answerTo(step: AskStep | undefined, { answers, steps }: RecordedState) {
  if (step === undefined) return undefined;
  const value = own(answers, step.id);
  const isSkipped = steps?.some(({ id, outcome }) => id === step.id && outcome === 'skipped');
  if (value !== undefined && isSkipped !== true) return { value };
  return step.required === false ? { skip: true as const } : undefined;
}

/** Answers for the model until the conversation waits for the customer or has ended. */
function passModel(definition: BotDefinition, recorded: RecordedState, turn: Turn): Turn {
  const now = recorded.lastTimestamp;
  let next = turn;
  for (;;) {
    const step = planOf(definition).llms.get(next.state.awaiting?.stepId ?? '');
    if (step === undefined) return next;
    const answered = answerModel(definition, next.state, { outcome: outcomeOf(step, recorded), now });
    const settled =
      'rejected' in answered
        ? answerModel(definition, next.state, { outcome: { failed: true }, now })
        : answered;
    if ('rejected' in settled) throw new Error('A failure of the model is never rejected');
    next = settled;
  }
}

function outcomeOf(step: LlmStep, recorded: RecordedState): ModelOutcome {
  if (step.mode === 'chat') return { text: JSON.stringify({ reply: '', done: true }) };
  const values = outputs(step).map(({ field, name, keys }) => {
    const known = name === undefined ? undefined : own(recorded.answers, name);
    const [key = ''] = keys;
    return [field ?? fieldOf(step), known ?? own(recorded.evaluation, key)] as const;
  });
  const found: [string, AnswerValue][] = values.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return found.length === 0 ? { failed: true } : { text: JSON.stringify(Object.fromEntries(found)) };
}

/** The field of the model's answer: `answerSchema`. */
function fieldOf({ mode }: LlmStep): string {
  return mode === 'classify' ? 'label' : 'summary';
}

function differingKeys(before: Record<string, string>, after: Record<string, string>): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => own(before, key) !== own(after, key));
}
