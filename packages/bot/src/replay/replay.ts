import type { AnswerValue } from '../questions/types.ts';
import type { ConversationState, ModelOutcome, Turn } from '../plan/conversation.ts';
import { answer, type Input, beginConversation } from '../engine/engine.ts';
import type { AskStep, BotDefinition, LlmStep } from '../definition/format.ts';
import { answerModel } from '../model/model-answer.ts';
import { outputsOf } from '../plan/outputs.ts';
import { ownValue, planOf } from '../plan/plan.ts';

export type RecordedState = Pick<
  ConversationState,
  'answers' | 'evaluation' | 'steps' | 'customer' | 'context' | 'locale' | 'seed' | 'lastTimestamp'
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
  /** What the bot says up to each question, with the words of its choices, and last at the end. */
  heard: Heard[];
};

/** Texts of the bot. Null: at the end. */
type Heard = { stepId: string | null; text: string };

/** What the customer hears at a question, or at the end, through each of two definitions. */
export type TextDiff = { stepId: string | null; before: string; after: string };

/** The values of a key of the evaluation; null: it has none. */
export type ValueDiff = { key: string; before: string | null; after: string | null };

/** What differs between the courses of one conversation through two definitions. */
export type CourseDiff = {
  before: Course;
  after: Course;
  /** Whether other questions are asked, or in another order. */
  takesAnotherWay: boolean;
  /** Whether it reaches another `end` step. False if the later course stops. */
  endsDifferently: boolean;
  /** The values of the evaluation that differ. Empty if the later course stops. */
  evaluation: ValueDiff[];
  /** What the customer hears otherwise, at the questions that both courses ask and at their ends. */
  texts: TextDiff[];
};

/** A conversation asks no more questions than this. A definition that asks for ever is closed by its size before. */
const questionsMax = 500;

/**
 * Replays a finished conversation: each question gets the answer that the customer gave to the question of the same id,
 * and each step of the model the values that it found. Chats are passed over. A question without a recorded answer is
 * skipped, if that is possible. Pure: bounds such as `today` count from the end of the recorded conversation.
 */
export function replay(definition: BotDefinition, recorded: RecordedState): Course {
  const { customer, context, locale, seed, lastTimestamp: now } = recorded;
  const heard: Heard[] = [];
  const pass = (first: Turn): Turn => {
    const { turn, said } = passModel(definition, recorded, first);
    heard.push({ stepId: turn.input?.stepId ?? null, text: [...said, ...labelsOf(turn.input)].join('\n') });
    return turn;
  };
  const beginning = { customer, context, locale, ...(seed !== undefined && { seed }) };
  let turn = pass(beginConversation(definition, { ...beginning, now, hasModel: true }));
  for (let asked = 1; turn.input !== null && asked <= questionsMax; asked += 1) {
    const { stepId } = turn.input;
    const given = answerTo(planOf(definition).asks.get(stepId), recorded);
    if (given === undefined) return courseOf(turn, heard, { stepId, reason: 'no-answer' });
    const outcome = answer(definition, turn.state, { stepId, answer: given, now, hasModel: true });
    if ('rejected' in outcome) return courseOf(turn, heard, { stepId, reason: 'refused' });
    turn = pass(outcome);
  }
  return courseOf(turn, heard, null);
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
    evaluation: isWhole ? differingValues(before.evaluation, after.evaluation) : [],
    texts: differingTexts(before.heard, after.heard),
  };
  const isSame =
    isWhole &&
    !diff.takesAnotherWay &&
    !diff.endsDifferently &&
    diff.evaluation.length === 0 &&
    diff.texts.length === 0;
  return isSame ? undefined : diff;
}

function courseOf({ evaluation, endStepId }: Turn, heard: Heard[], stopped: Course['stopped']): Course {
  const stepIds = heard.flatMap(({ stepId }) => stepId ?? []).slice(0, questionsMax);
  return { stepIds, endStepId, evaluation, stopped, heard };
}

/** Returns the words of choices, rows and columns, of a consent, or of the ends of a scale. */
function labelsOf(input: Input | null): string[] {
  const { choices = [], rows = [], columns = [], other, label, labels = {} } = input ?? {};
  const listed = [...choices, ...rows, ...columns].map((one) => one.label);
  return [...listed, ...[other?.label, label].flatMap((one) => one ?? []), ...Object.values(labels)];
}

function answerTo(step: AskStep | undefined, { answers, steps }: RecordedState) {
  if (step === undefined) return undefined;
  const value = ownValue(answers, step.id);
  const isSkipped = steps?.some(({ id, outcome }) => id === step.id && outcome === 'skipped');
  if (value !== undefined && isSkipped !== true) return { value };
  return step.required === false ? { skip: true as const } : undefined;
}

/** Answers for the model until the conversation waits for the customer or has ended. Returns what the bot says, too. */
function passModel(
  definition: BotDefinition,
  recorded: RecordedState,
  turn: Turn,
): { turn: Turn; said: string[] } {
  const now = recorded.lastTimestamp;
  const said: string[] = [];
  let next = turn;
  for (;;) {
    for (const { type, body } of next.entries) if (type === 'bot') said.push(body);
    const step = planOf(definition).llms.get(next.state.awaiting?.stepId ?? '');
    if (step === undefined) return { turn: next, said };
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
  const values = outputsOf(step).map(({ field, name, keys }) => {
    const known = name === undefined ? undefined : ownValue(recorded.answers, name);
    const [key = ''] = keys;
    return [field ?? fieldOf(step), known ?? ownValue(recorded.evaluation, key)] as const;
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

function differingValues(before: Record<string, string>, after: Record<string, string>): ValueDiff[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(keys, (key) => ({
    key,
    before: ownValue(before, key) ?? null,
    after: ownValue(after, key) ?? null,
  })).filter((value) => value.before !== value.after);
}

/** Compares what is heard at the same questions. A repeated question is compared with its same repetition. */
function differingTexts(before: Heard[], after: Heard[]): TextDiff[] {
  const texts = new Map(numbered(before));
  return numbered(after).flatMap(([place, { stepId, text }]) => {
    const former = texts.get(place);
    return former === undefined || former.text === text ? [] : [{ stepId, before: former.text, after: text }];
  });
}

function numbered(heard: Heard[]): [place: string, Heard][] {
  const times = new Map<string | null, number>();
  return heard.map((one) => {
    const time = (times.get(one.stepId) ?? 0) + 1;
    times.set(one.stepId, time);
    return [`${time} ${one.stepId ?? ''}`, one];
  });
}
