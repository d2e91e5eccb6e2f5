import type { Entry, Turn } from '../plan/conversation.ts';
import { bodyCharsMax } from '../text/clean-text.ts';
import type { AskStep } from '../definition/format.ts';
import { type AnswerValue, typeOf } from '../questions/types.ts';
import { clearOutputs, outputsOf, storeOutput } from '../plan/outputs.ts';
import { type TextLanguage, sayIn, shorten } from '../text/template.ts';
import { type Conversation, writeEntry } from './open-conversation.ts';
import { recordAnswer } from './path.ts';
import { shownRule } from './question.ts';
import { finishQuestion } from './run-steps.ts';
import { endStep } from './shown-steps.ts';

const skippedBody = '–';

/** Stores a valid answer in its canonical form, and continues. */
export function take(conversation: Conversation, step: AskStep, value: AnswerValue): Turn {
  const { state } = conversation;
  writeAnswer(conversation, step, value);
  recordAnswer(conversation, { id: step.id, value });
  for (const output of outputsOf(step)) storeOutput(state, output, value);
  endStep(state, step.id, 'answered');
  return finishQuestion(conversation, step);
}

/** Adds the entry of an answer; of a skipped question without a value. */
export function writeAnswer(conversation: Conversation, step: AskStep, value: AnswerValue | undefined): void {
  const form = conversation.state.path ? { stepId: step.id } : {};
  if (value === undefined) {
    writeEntry(conversation, 'customer', { body: skippedBody, personal: [] }, { skipped: true, ...form });
    return;
  }
  const { input } = step;
  const type = typeOf(input);
  const language = languageOf(conversation);
  const body = shorten(type.sayValue(input, value, sayIn(language)), bodyCharsMax) || skippedBody;
  const outOf = type.scaleMax(input);
  const shown = type.describeShown(shownRule(conversation.state, step), language);
  writeCustomerEntry(conversation, step, body, {
    ...(outOf !== undefined && { outOf }),
    ...(shown && { shown }),
    ...form,
  });
}

export function skip(conversation: Conversation, step: AskStep): Turn {
  writeAnswer(conversation, step, undefined);
  recordAnswer(conversation, { id: step.id });
  clearOutputs(conversation.state, step);
  endStep(conversation.state, step.id, 'skipped');
  return finishQuestion(conversation, step);
}

/** Leaves a question without an answer after its last retry, whose entry is written. */
export function abandon(conversation: Conversation, step: AskStep): Turn {
  recordAnswer(conversation, { id: step.id, abandoned: true });
  clearOutputs(conversation.state, step);
  return finishQuestion(conversation, step, step.retry?.goto);
}

export function writeCustomerEntry(
  conversation: Conversation,
  step: AskStep,
  body: string,
  form?: Pick<Entry, 'outOf' | 'shown' | 'stepId'>,
): void {
  const personal: [number, number][] = conversation.plan.personalSteps.has(step.id) ? [[0, body.length]] : [];
  writeEntry(conversation, 'customer', { body, personal }, form);
}

export function languageOf({ plan, state }: Conversation): TextLanguage {
  return { locale: state.locale, ownLocale: plan.locale };
}
