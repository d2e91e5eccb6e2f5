import { type AnswerValue, typeOf } from '../questions/types.ts';
import { addModelReply } from '../engine/chat.ts';
import { cleanText } from '../text/clean-text.ts';
import type { ConversationState, ModelOutcome, Turn } from '../plan/conversation.ts';
import type { BotDefinition, ChatStep, LlmStep } from '../definition/format.ts';
import { findObject, withoutReasoning, withoutReasoningBefore } from './model-reply.ts';
import { answerSchema, replyCharsMax, summaryCharsMax } from './model-schema.ts';
import { storeOutput, outputBytes, outputsOf } from '../plan/outputs.ts';
import { planOf } from '../plan/plan.ts';
import { readChoice } from '../questions/parts/read-choice.ts';
import { refusalText, reject, type Rejection } from '../questions/refusal.ts';
import { hasRoomFor } from '../plan/conversation-size.ts';
import { type Conversation, resumeConversation } from '../engine/open-conversation.ts';
import { recordResult } from '../engine/path.ts';
import type { TextLanguage } from '../text/template.ts';
import { closeConversation, continueAfter, continueOnError } from '../engine/run-steps.ts';

/** The language of faults for the model. */
const english = { locale: 'en', ownLocale: 'en' };

/**
 * Continues a conversation that waits for the model. Rejects, without any change, an answer that does not
 * match the step's form: ask again with the reason, or pass `{failed: true}`, which continues at the step's
 * `onError`. Pure, as `answer` is. Throws when the conversation does not wait for the model.
 */
export function answerModel(
  definition: BotDefinition,
  state: ConversationState,
  event: { outcome: ModelOutcome; now: number },
): Turn | Rejection {
  const plan = planOf(definition);
  const step = plan.llms.get(state.awaiting?.stepId ?? '');
  if (step === undefined) throw new Error('The conversation does not wait for the model');
  const conversation = resumeConversation(plan, state, event.now, true);
  delete conversation.state.awaiting;
  if ('failed' in event.outcome) return continueOnError(conversation, step);
  const given = readObject(step, event.outcome.text);
  if (given === undefined) return reject('not-json', 'The answer must be one JSON object and nothing else.');
  if (step.mode === 'chat') {
    const reply = readReply(given);
    return 'rejected' in reply ? reply : addModelReply(conversation, step, reply.reply, reply.done);
  }
  const values = readValues(step, given, { locale: state.locale, ownLocale: plan.locale }, event.now);
  if ('rejected' in values) return values;
  return storeFound(conversation, step, values.found);
}

/** Stores what the model has found, in the order of `outputsOf`, and continues. */
export function storeFound(
  conversation: Conversation,
  step: Exclude<LlmStep, ChatStep>,
  found: readonly (AnswerValue | undefined)[],
): Turn {
  recordResult(conversation, step, found);
  for (const [index, output] of outputsOf(step).entries()) {
    const value = found[index];
    if (!hasRoomFor(conversation.state, 1, outputBytes(output, value)))
      return closeConversation(conversation);
    storeOutput(conversation.state, output, value);
  }
  return continueAfter(conversation, step);
}

/** Returns the object of the model's answer. A bare label counts as one. */
function readObject(step: LlmStep, text: string): Record<string, unknown> | undefined {
  const { properties } = answerSchema(step);
  const found = findObject(text, Object.keys(properties));
  if (found !== undefined || step.mode !== 'classify') return found;
  const label = labelIn(step.labels, withoutReasoning(text));
  return label === undefined ? undefined : { label };
}

/** Returns the label that the text is, in any letter case and without punctuation. */
function labelIn(labels: readonly string[], text: string): string | undefined {
  // Labels may differ in their letter case only.
  const exact = labels.find((label) => label === text.trim());
  if (exact !== undefined) return exact;
  return readChoice(
    labels.map((label) => ({ value: label, label })),
    text,
    english,
  );
}

/** Returns the words of a model as they are shown: never what it thinks. */
function wordsOf(text: string): string {
  return cleanText(withoutReasoningBefore(text), true);
}

function readReply(given: Record<string, unknown>): { reply: string; done: boolean } | Rejection {
  const { reply, done } = given;
  if (typeof reply !== 'string' || typeof done !== 'boolean') {
    return reject('wrong-form', '"reply" must be a string and "done" true or false.');
  }
  const words = wordsOf(reply);
  if (words === '' && !done) return reject('empty', '"reply" must not be empty.');
  if (words.length > replyCharsMax) return reject('too-long', tooLong('reply', replyCharsMax));
  return { reply: words, done };
}

/** In the order of `outputsOf`; undefined for a value that the model has not found. */
function readValues(
  step: Exclude<LlmStep, ChatStep>,
  given: Record<string, unknown>,
  language: TextLanguage,
  now: number,
): { found: (AnswerValue | undefined)[] } | Rejection {
  if (step.mode === 'classify') {
    const label = typeof given['label'] === 'string' ? labelIn(step.labels, given['label']) : undefined;
    if (label !== undefined) return { found: [label] };
    return reject('not-a-label', `"label" must be one of ${step.labels.join(', ')}.`);
  }
  if (step.mode === 'summarise') {
    const summary = typeof given['summary'] === 'string' ? wordsOf(given['summary']) : '';
    if (summary === '') return reject('empty', '"summary" must be a string with the summary.');
    if (summary.length > summaryCharsMax) return reject('too-long', tooLong('summary', summaryCharsMax));
    return { found: [summary] };
  }
  const names = Object.keys(step.fields);
  if (!names.some((name) => Object.hasOwn(given, name))) {
    return reject('wrong-form', `The object must have ${names.join(', ')}; null for what is not found.`);
  }
  const found: (AnswerValue | undefined)[] = [];
  for (const { field = '', rule } of outputsOf(step)) {
    const value = typeof given[field] === 'string' ? withoutReasoningBefore(given[field]) : given[field];
    if (value === null || value === undefined || value === '') {
      found.push(undefined);
      continue;
    }
    // The question listed the values of choices, not their labels.
    const type = typeOf(rule);
    let checked = type.checkValue(rule, value, now);
    if ('reason' in checked && typeof value === 'string') {
      checked = type.checkValue(rule, type.readText(rule, value, language), now);
    }
    if (!('value' in checked)) {
      return reject(checked.reason, `"${field}" does not fit: ${refusalText(checked, english)}`);
    }
    found.push(checked.value);
  }
  return { found };
}

function tooLong(name: string, charsMax: number): string {
  return `"${name}" must have at most ${charsMax} characters.`;
}
