import { type AnswerValue, answerBody } from './answer-forms.ts';
import { takeInChat } from './chat.ts';
import { bodyCharsMax, checkValue, cleanText, scaleOf } from './check-value.ts';
import type { Answer, ConversationState, Entry, Rejection, Turn } from './conversation.ts';
import type { AskStep, BotDefinition } from './format.ts';
import type { Input } from './input.ts';
import { forget, keep, outputs } from './outputs.ts';
import { planOf } from './plan.ts';
import { chatRule, question } from './question.ts';
import { readText } from './read-text.ts';
import { type Refusal, refusalText } from './refusal.ts';
import { type Beginning, openTalk, resumeTalk, type Talk, writeEntry } from './talk.ts';
import type { Language } from './template.ts';
import { ask, goOn, walk } from './walk.ts';

export type { Answer, ConversationState, Entry, ModelOutcome, Rejection, Turn } from './conversation.ts';
export type { Input } from './input.ts';
export { answerModel } from './model-answer.ts';
export type { Beginning } from './talk.ts';

const skippedBody = '–';
const retriesDefault = 3;

/**
 * Begins a talk: the first entries and the first question. Pure, as `answer` is: equal arguments, equal turns.
 * `definition` must have passed `validateDefinition`; `now` is epoch seconds with fraction. With `hasModel` a turn may
 * wait for the model (`state.awaiting`, see `modelQuestion` and `answerModel`); otherwise `llm` steps fail at once.
 */
export function start(
  definition: BotDefinition,
  input: Beginning & { now: number; hasModel?: boolean },
): Turn {
  return walk(openTalk(planOf(definition), input, input.now, input.hasModel ?? false), 0);
}

/**
 * Takes the customer's answer to the current question and goes on until the next one, the model or the end. An answer
 * that cannot be taken is `rejected` and changes nothing: to another step, an invalid value, a required question skipped,
 * or free text that means no answer where the step has no retry left. The entry of a skipped question is "–".
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
  const talk = resumeTalk(plan, state, event.now, event.hasModel ?? false);
  const chat = plan.llms.get(state.stepId);
  if (chat !== undefined) {
    if (form.kind === 'skip') return refuse(talk, { reason: 'required' });
    const checked = checkValue(chatRule, form.given, event.now);
    return 'value' in checked ? takeInChat(talk, chat, String(checked.value)) : refuse(talk, checked);
  }
  const step = plan.asks.get(state.stepId);
  if (step === undefined) throw new Error(`The definition has no question "${state.stepId}": not its state`);
  if (form.kind === 'skip') {
    return step.required === false ? skip(talk, step) : refuse(talk, { reason: 'required' });
  }
  if (typeof form.given === 'string' && form.given.length > bodyCharsMax) {
    return refuse(talk, { reason: 'too-long', max: bodyCharsMax });
  }
  if (form.kind === 'value') {
    const checked = checkValue(step.input, form.given, event.now);
    return 'value' in checked ? take(talk, step, checked.value) : refuse(talk, checked);
  }
  const text = cleanText(form.given, true);
  if (text === '') return refuse(talk, { reason: 'empty' });
  const checked = checkValue(step.input, readText(step.input, text, languageOf(talk)), event.now);
  if ('value' in checked) return take(talk, step, checked.value);
  return retry(talk, step, text) ?? refuse(talk, checked);
}

/**
 * The question that the talk waits for, or null when it has ended or waits for the model. Bounds such as `today` count
 * from `now` (epoch seconds), or from when the question was asked.
 */
export function currentInput(
  definition: BotDefinition,
  state: ConversationState,
  now?: number,
): Input | null {
  return question(planOf(definition), state, now ?? state.lastTimestamp);
}

type AnswerForm = { kind: 'value'; given: unknown } | { kind: 'text'; given: string } | { kind: 'skip' };

// The type says one of three; what a request holds may be anything.
function answerForm(given: unknown): AnswerForm | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const [[form, value] = [], ...more] = Object.entries(given) as [string, unknown][];
  if (more.length > 0) return undefined;
  if (form === 'value') return { kind: 'value', given: value };
  if (form === 'text' && typeof value === 'string') return { kind: 'text', given: value };
  return form === 'skip' && value === true ? { kind: 'skip' } : undefined;
}

function take(talk: Talk, step: AskStep, value: AnswerValue): Turn {
  const { plan, state } = talk;
  const { input } = step;
  const isOnScale = input.type === 'nps' || input.type === 'rating';
  const body = answerBody(input, value, state.locale, plan.locale) || skippedBody;
  writeCustomerEntry(talk, step, body, isOnScale ? { outOf: scaleOf(input).max } : {});
  for (const output of outputs(step)) keep(state, output, value);
  return goOn(talk, step);
}

function skip(talk: Talk, step: AskStep): Turn {
  writeEntry(talk, 'customer', { body: skippedBody, personal: [] }, { skipped: true });
  forget(talk.state, step);
  return goOn(talk, step);
}

// Undefined when the step has no retry, or none left and nowhere to go.
function retry(talk: Talk, step: AskStep, text: string): Turn | undefined {
  const rule = step.retry;
  const spent = talk.state.retryCount >= (rule?.max ?? retriesDefault);
  if (rule === undefined || (spent && rule.goto === undefined)) return undefined;
  writeCustomerEntry(talk, step, text);
  if (!spent) {
    talk.state.retryCount += 1;
    return ask(talk, step.id, rule.text);
  }
  forget(talk.state, step);
  return goOn(talk, step, rule.goto);
}

function writeCustomerEntry(talk: Talk, step: AskStep, body: string, form?: Pick<Entry, 'outOf'>): void {
  const personal: [number, number][] = talk.plan.personalSteps.has(step.id) ? [[0, body.length]] : [];
  writeEntry(talk, 'customer', { body, personal }, form);
}

function refuse(talk: Talk, refusal: Refusal): Rejection {
  return reject(refusal.reason, refusalText(refusal, languageOf(talk)));
}

function languageOf({ plan, state }: Talk): Language {
  return { locale: state.locale, ownLocale: plan.locale };
}

function reject(reason: string, detail: string): Rejection {
  return { rejected: { reason, detail } };
}
