import type { Turn } from './conversation.ts';
import type { LlmStep } from './format.ts';
import { forget } from './outputs.ts';
import type { Talk } from './talk.ts';
import { goOn, leave } from './walk.ts';

/** Goes on where the step says for want of an answer. What the customer has said in a chat before stays kept. */
export function fail(talk: Talk, step: LlmStep): Turn {
  const { state } = talk;
  const wasTalkedTo = (state.chat?.turns ?? 0) > 0;
  delete state.chat;
  if (wasTalkedTo) return goOn(talk, step, step.onError.goto);
  forget(state, step);
  return leave(talk, step, step.onError.goto);
}
