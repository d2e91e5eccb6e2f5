import { addCustomerMessage } from './chat.ts';
import { bodyCharsMax, cleanText } from '../text/clean-text.ts';
import type { Answer, ConversationState, Turn } from '../plan/conversation.ts';
import type { AskStep, BotDefinition } from '../definition/format.ts';
import { longText } from '../questions/long-text/long-text.ts';
import { type AnswerValue, type Input, typeOf } from '../questions/types.ts';
import { planOf } from '../plan/plan.ts';
import { chatRule, question, shownRule } from './question.ts';
import { type AnswerRefusal, refusalText, reject, type Rejection } from '../questions/refusal.ts';
import {
  type Beginning,
  openConversation,
  resumeConversation,
  type Conversation,
} from './open-conversation.ts';
import { askQuestion, runSteps } from './run-steps.ts';
import { abandon, languageOf, skip, take, writeCustomerEntry } from './settle.ts';

export type { Answer, ConversationState, Entry, ModelOutcome, Turn } from '../plan/conversation.ts';
export type { Rejection } from '../questions/refusal.ts';
export type { Input } from '../questions/types.ts';
export type { Beginning } from './open-conversation.ts';

const retriesDefault = 3;

/**
 * Starts a conversation: returns the first entries and the first question. Pure, as `answer` is.
 * `definition` must have passed `validateDefinition`; `now` is epoch seconds with fraction. With `hasModel` a
 * turn may wait for the model (`state.awaiting`, see `modelQuestion` and `answerModel`); otherwise `llm`
 * steps fail at once.
 */
export function beginConversation(
  definition: BotDefinition,
  input: Beginning & { now: number; hasModel?: boolean },
): Turn {
  return runSteps(openConversation(planOf(definition), input, input.now, input.hasModel ?? false), 0);
}

/**
 * Takes the customer's answer to the current question and continues to the next question, the model or the end.
 * Rejects, without any change, an answer to another step, an invalid value, a skipped required question, and free text
 * that means no answer when the step has no retry left. The entry of a skipped question is "–".
 */
export function answer(
  definition: BotDefinition,
  state: ConversationState,
  event: { stepId: string; answer: Answer; now: number; hasModel?: boolean },
): Turn | Rejection {
  const plan = planOf(definition);
  if (state.awaiting !== undefined) return reject('awaiting', 'Please wait a moment.');
  if (state.stepId === null) return reject('ended', 'This conversation has ended.');
  if (event.stepId !== state.stepId) return reject('not-the-question', 'This is not the current question.');
  const form = answerForm(event.answer);
  if (form === undefined) return malformed();
  const conversation = resumeConversation(plan, state, event.now, event.hasModel ?? false);
  const chat = plan.llms.get(state.stepId);
  if (chat !== undefined) {
    if (form.kind === 'skip') return refuse(conversation, { reason: 'required' });
    const checked = longText.checkValue(chatRule, form.given);
    return 'value' in checked
      ? addCustomerMessage(conversation, chat, checked.value)
      : refuse(conversation, checked);
  }
  const step = plan.asks.get(state.stepId);
  if (step === undefined) throw new Error(`The definition has no question "${state.stepId}": not its state`);
  const read = readAnswer(conversation, step, form);
  if ('value' in read) return take(conversation, step, read.value);
  if ('skipped' in read) return skip(conversation, step);
  const retried = read.unclear === undefined ? undefined : retry(conversation, step, read.unclear);
  return retried ?? refuse(conversation, read.refusal);
}

/** The outcome of reading an answer. `unclear` is free text that means none. */
type ReadAnswer = { value: AnswerValue } | { skipped: true } | { refusal: AnswerRefusal; unclear?: string };

function readAnswer(conversation: Conversation, step: AskStep, form: AnswerForm): ReadAnswer {
  if (form.kind === 'skip') {
    return step.required === false ? { skipped: true } : { refusal: { reason: 'required' } };
  }
  if (typeof form.given === 'string' && form.given.length > bodyCharsMax) {
    return { refusal: { reason: 'too-long', max: bodyCharsMax } };
  }
  const { state, now } = conversation;
  if (form.kind === 'value') {
    const checked = checkAnswer(step, form.given, now);
    return 'value' in checked ? checked : { refusal: checked };
  }
  const text = cleanText(form.given, true);
  if (text === '') return { refusal: { reason: 'empty' } };
  const meant = typeOf(step.input).readText(shownRule(state, step), text, languageOf(conversation));
  const checked = checkAnswer(step, meant, now);
  return 'value' in checked ? checked : { refusal: checked, unclear: text };
}

/** Reads an answer to any question of the conversation; undefined for a skipped one. */
export function readRevision(
  conversation: Conversation,
  step: AskStep,
  given: Answer,
): { value: AnswerValue | undefined } | Rejection {
  const form = answerForm(given);
  if (form === undefined) return malformed();
  const read = readAnswer(conversation, step, form);
  if ('refusal' in read) return refuse(conversation, read.refusal);
  return { value: 'value' in read ? read.value : undefined };
}

/**
 * Returns the current question, or null when the conversation has ended or waits for the model. Bounds such as `today`
 * count from `now` (epoch seconds), by default from the time of the newest entry.
 */
export function currentInput(
  definition: BotDefinition,
  state: ConversationState,
  now?: number,
): Input | null {
  return question(planOf(definition), state, now ?? state.lastTimestamp);
}

type Checked = ReturnType<ReturnType<typeof typeOf>['checkValue']>;

type AnswerForm = { kind: 'value'; given: unknown } | { kind: 'text'; given: string } | { kind: 'skip' };

// A request may contain anything, whatever the type says.
function answerForm(given: unknown): AnswerForm | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const [[form, value] = [], ...more] = Object.entries(given) as [string, unknown][];
  if (more.length > 0) return undefined;
  if (form === 'value') return { kind: 'value', given: value };
  if (form === 'text' && typeof value === 'string') return { kind: 'text', given: value };
  return form === 'skip' && value === true ? { kind: 'skip' } : undefined;
}

function checkAnswer({ input, required }: AskStep, value: unknown, now: number): Checked {
  const type = typeOf(input);
  const checked = type.checkValue(input, value, now);
  if (!('value' in checked) || required === false) return checked;
  const reason = type.whyNotEnough(checked.value);
  return reason === undefined ? checked : { reason };
}

// Undefined when the step has no retry, or none left and no `goto`.
function retry(conversation: Conversation, step: AskStep, text: string): Turn | undefined {
  const rule = step.retry;
  const spent = conversation.state.retryCount >= (rule?.max ?? retriesDefault);
  if (rule === undefined || (spent && rule.goto === undefined)) return undefined;
  writeCustomerEntry(conversation, step, text);
  const { path, seq } = conversation.state;
  if (path !== undefined) path.attemptsFrom ??= seq;
  if (spent) return abandon(conversation, step);
  conversation.state.retryCount += 1;
  return askQuestion(conversation, step.id, rule.text);
}

function refuse(conversation: Conversation, refusal: AnswerRefusal): Rejection {
  return reject(refusal.reason, refusalText(refusal, languageOf(conversation)));
}

function malformed(): Rejection {
  return reject('malformed', 'Send exactly one of value, text and skip: true.');
}
