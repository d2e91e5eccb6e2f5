import { bodyCharsMax } from './check-value.ts';
import type { Turn } from './conversation.ts';
import type { ChatStep, LlmStep } from './format.ts';
import { keep, outputs } from './outputs.ts';
import { fail } from './llm-failure.ts';
import { own } from './plan.ts';
import { type Talk, writeEntry } from './talk.ts';
import { type Rendered, shorten } from './template.ts';
import { awaitModel, goOn, goOnChatting, leave } from './walk.ts';

const turnsDefault = 5;

/** How often the customer may say something in the chat. */
export function turnsMax(step: ChatStep): number {
  return step.maxTurns ?? turnsDefault;
}

/** What the customer says in a chat: kept under the step's names, a line for each time, and put to the model. */
export function takeInChat(talk: Talk, step: LlmStep, words: string): Turn {
  const { state } = talk;
  writeEntry(talk, 'customer', said(talk, step, words));
  const { fromSeq, turns } = state.chat ?? { fromSeq: state.seq - 1, turns: 0 };
  state.chat = { fromSeq, turns: turns + 1 };
  for (const output of outputs(step)) {
    const [key = ''] = output.keys;
    const before = output.name === undefined ? own(state.evaluation, key) : own(state.answers, output.name);
    const all = before === undefined ? words : `${String(before)}\n${words}`;
    keep(state, output, shorten(all, bodyCharsMax));
  }
  return awaitModel(talk, step) ?? fail(talk, step);
}

/** What the model says in a chat: the last words when it is done, or the customer has had all turns. */
export function replyInChat(talk: Talk, step: ChatStep, reply: string, isDone: boolean): Turn {
  const { state } = talk;
  const turns = state.chat?.turns ?? 0;
  const rendered = said(talk, step, reply);
  if (!isDone && turns < turnsMax(step)) return goOnChatting(talk, step, rendered);
  if (reply !== '') writeEntry(talk, 'bot', rendered);
  delete state.chat;
  return turns > 0 ? goOn(talk, step) : leave(talk, step);
}

function said({ plan }: Talk, { id }: LlmStep, body: string): Rendered {
  return { body, personal: plan.personalSteps.has(id) ? [[0, body.length]] : [] };
}
