import { addCustomerMessage } from './chat.ts';
import { bodyCharsMax, cleanText } from '../text/clean-text.ts';
import type { Answer, ConversationState, Entry, Turn } from '../plan/conversation.ts';
import type { AskStep, BotDefinition } from '../definition/format.ts';
import { longText } from '../questions/long-text/long-text.ts';
import { type AnswerValue, type Input, typeOf } from '../questions/types.ts';
import { clearOutputs, storeOutput, outputsOf } from '../plan/outputs.ts';
import { planOf } from '../plan/plan.ts';
import { chatRule, question, shownRule } from './question.ts';
import { type AnswerRefusal, refusalText, reject, type Rejection } from '../questions/refusal.ts';
import {
  type Beginning,
  openConversation,
  resumeConversation,
  type Conversation,
  writeEntry,
} from './open-conversation.ts';
import { endStep } from './shown-steps.ts';
import { type TextLanguage, sayIn, shorten } from '../text/template.ts';
import { askQuestion, finishQuestion, runSteps } from './run-steps.ts';

export type { Answer, ConversationState, Entry, ModelOutcome, Turn } from '../plan/conversation.ts';
export type { Rejection } from '../questions/refusal.ts';
export type { Input } from '../questions/types.ts';
export type { Beginning } from './open-conversation.ts';

const skippedBody = '–';
const retriesDefault = 3;

/**
 * Starts a conversation: returns the first entries and the first question. Pure, as `answer` is.
 * `definition` must have passed `validateDefinition`; `now` is epoch seconds with fraction. With `hasModel` a
 * turn may wait for the model (`state.awaiting`, see `modelQuestion` and `answerModel`); otherwise `llm`
 * steps fail at once.
 */
export function start(
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
  if (form === undefined) return reject('malformed', 'Send exactly one of value, text and skip: true.');
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
  if (form.kind === 'skip') {
    return step.required === false ? skip(conversation, step) : refuse(conversation, { reason: 'required' });
  }
  if (typeof form.given === 'string' && form.given.length > bodyCharsMax) {
    return refuse(conversation, { reason: 'too-long', max: bodyCharsMax });
  }
  if (form.kind === 'value') {
    const checked = checkAnswer(step, form.given, event.now);
    return 'value' in checked ? take(conversation, step, checked.value) : refuse(conversation, checked);
  }
  const text = cleanText(form.given, true);
  if (text === '') return refuse(conversation, { reason: 'empty' });
  const meant = typeOf(step.input).readText(shownRule(state, step), text, languageOf(conversation));
  const checked = checkAnswer(step, meant, event.now);
  if ('value' in checked) return take(conversation, step, checked.value);
  return retry(conversation, step, text) ?? refuse(conversation, checked);
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

function take(conversation: Conversation, step: AskStep, value: AnswerValue): Turn {
  const { state } = conversation;
  const { input } = step;
  const type = typeOf(input);
  const language = languageOf(conversation);
  const body = shorten(type.sayValue(input, value, sayIn(language)), bodyCharsMax) || skippedBody;
  const outOf = type.scaleMax(input);
  const shown = type.describeShown(shownRule(state, step), language);
  writeCustomerEntry(conversation, step, body, {
    ...(outOf !== undefined && { outOf }),
    ...(shown && { shown }),
  });
  for (const output of outputsOf(step)) storeOutput(state, output, value);
  endStep(state, step.id, 'answered');
  return finishQuestion(conversation, step);
}

function skip(conversation: Conversation, step: AskStep): Turn {
  writeEntry(conversation, 'customer', { body: skippedBody, personal: [] }, { skipped: true });
  clearOutputs(conversation.state, step);
  endStep(conversation.state, step.id, 'skipped');
  return finishQuestion(conversation, step);
}

// Undefined when the step has no retry, or none left and no `goto`.
function retry(conversation: Conversation, step: AskStep, text: string): Turn | undefined {
  const rule = step.retry;
  const spent = conversation.state.retryCount >= (rule?.max ?? retriesDefault);
  if (rule === undefined || (spent && rule.goto === undefined)) return undefined;
  writeCustomerEntry(conversation, step, text);
  if (!spent) {
    conversation.state.retryCount += 1;
    return askQuestion(conversation, step.id, rule.text);
  }
  clearOutputs(conversation.state, step);
  return finishQuestion(conversation, step, rule.goto);
}

function writeCustomerEntry(
  conversation: Conversation,
  step: AskStep,
  body: string,
  form?: Pick<Entry, 'outOf' | 'shown'>,
): void {
  const personal: [number, number][] = conversation.plan.personalSteps.has(step.id) ? [[0, body.length]] : [];
  writeEntry(conversation, 'customer', { body, personal }, form);
}

function refuse(conversation: Conversation, refusal: AnswerRefusal): Rejection {
  return reject(refusal.reason, refusalText(refusal, languageOf(conversation)));
}

function languageOf({ plan, state }: Conversation): TextLanguage {
  return { locale: state.locale, ownLocale: plan.locale };
}
