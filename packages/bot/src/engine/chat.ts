import { bodyCharsMax } from '../text/clean-text.ts';
import type { Turn } from '../plan/conversation.ts';
import type { ChatStep, LlmStep } from '../definition/format.ts';
import { storeOutput, outputsOf } from '../plan/outputs.ts';
import { ownValue } from '../plan/plan.ts';
import { type Conversation, writeEntry } from './open-conversation.ts';
import { recordResult } from './path.ts';
import { endStep } from './shown-steps.ts';
import { type Rendered, shorten } from '../text/template.ts';
import { awaitModel, continueAfter, continueChat, continueOnError, finishQuestion } from './run-steps.ts';

const turnsDefault = 5;

export function turnsMax(step: ChatStep): number {
  return step.maxTurns ?? turnsDefault;
}

/** Stores a message of the customer as a line in each of the step's outputs, and asks the model. */
export function addCustomerMessage(conversation: Conversation, step: LlmStep, words: string): Turn {
  const { state } = conversation;
  const form = state.path ? { stepId: step.id } : {};
  writeEntry(conversation, 'customer', renderedIn(conversation, step, words), form);
  const { fromSeq, turns } = state.chat ?? { fromSeq: state.seq - 1, turns: 0 };
  state.chat = { fromSeq, turns: turns + 1 };
  endStep(state, step.id, 'answered');
  for (const output of outputsOf(step)) {
    const [key = ''] = output.keys;
    const before =
      output.name === undefined ? ownValue(state.evaluation, key) : ownValue(state.answers, output.name);
    const all = typeof before === 'string' ? `${before}\n${words}` : words;
    storeOutput(state, output, shorten(all, bodyCharsMax));
  }
  return awaitModel(conversation, step) ?? continueOnError(conversation, step);
}

/** Sends the model's reply. The chat ends when the model is done or the customer has no turn left. */
export function addModelReply(
  conversation: Conversation,
  step: ChatStep,
  reply: string,
  isDone: boolean,
): Turn {
  const { state } = conversation;
  const turns = state.chat?.turns ?? 0;
  const rendered = renderedIn(conversation, step, reply);
  if (!isDone && turns < turnsMax(step)) return continueChat(conversation, step, rendered);
  if (reply !== '') writeEntry(conversation, 'bot', rendered);
  recordResult(conversation, step, []);
  delete state.chat;
  return turns > 0 ? finishQuestion(conversation, step) : continueAfter(conversation, step);
}

function renderedIn({ plan }: Conversation, { id }: LlmStep, body: string): Rendered {
  return { body, personal: plan.personalSteps.has(id) ? [[0, body.length]] : [] };
}
