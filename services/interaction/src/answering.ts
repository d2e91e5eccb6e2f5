import { createHash } from 'node:crypto';
import type { BotDefinition } from '@parley/bot/definition';
import { answer } from '@parley/bot/engine';
import type { PostMessageRequest } from '@parley/contracts/interaction/v1/conversation';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';
import { isOpen } from './lifecycle.ts';
import { epochSeconds } from './snapshot.ts';
import { turnChange } from './turn-change.ts';

type Message = Pick<PostMessageRequest, 'expectedSeq' | 'stepId' | 'answer'>;

/** What comes of a message that was not taken before: a change to save, no change since it came late, or an error. */
export type Verdict = { change: InteractionChange } | { stale: true } | { error: AppError };

/**
 * Judges a message by the talk as it was read: GONE when it has ended, FAILED_PRECONDITION before its start, stale when
 * it answers to an older state of the talk, UNPROCESSABLE when the answer does not fit the question. `definition` is the
 * one that the talk runs on, null before its start. While the talk waits for the model every message is stale.
 */
export function judge(
  talk: Pick<InteractionRow, 'status' | 'seq' | 'state' | 'transcript'>,
  definition: BotDefinition | null,
  message: Message,
  now: Date,
  hasModel = false,
): Verdict {
  if (!isOpen(talk.status)) return { error: conversationEnded() };
  if (talk.status !== 'InProgress' || !talk.state || !definition) {
    return {
      error: new AppError('failed_precondition', 'not-started', 'The conversation has not been started'),
    };
  }
  const { stepId } = message;
  if (message.expectedSeq !== talk.seq || stepId !== talk.state.stepId) return { stale: true };
  const event = { stepId, answer: answerOf(message), now: epochSeconds(now), hasModel };
  const turn = answer(definition, talk.state, event);
  if ('rejected' in turn) {
    return { error: new AppError('unprocessable', 'unanswerable-answer', turn.rejected.detail) };
  }
  return { change: turnChange(talk, turn, now) };
}

/**
 * SHA-256 over all that the message says, `expectedSeq` and `stepId` included: one that is sent again is the same in
 * every part, and the same words to another question are another message.
 */
export function fingerprintOf({ expectedSeq, stepId, answer }: Message): Buffer {
  const payload = JSON.stringify([expectedSeq, stepId, answer?.$case ?? null, answer?.value ?? null]);
  return createHash('sha256').update(payload).digest();
}

/** GONE: the talk is Completed or Expired. */
export function conversationEnded(): AppError {
  return new AppError('gone', 'conversation-ended', 'The conversation has ended');
}

function answerOf({ answer: given }: Message): Parameters<typeof answer>[2]['answer'] {
  if (given?.$case === 'text') return { text: given.value };
  if (given?.$case === 'skip' && given.value) return { skip: true };
  if (given?.$case !== 'valueJson') {
    throw invalidRequest([{ pointer: '/answer', detail: 'must have one of value, text and skip: true' }]);
  }
  try {
    return { value: JSON.parse(given.value) as unknown };
  } catch {
    throw invalidRequest([{ pointer: '/answer/value', detail: 'must be JSON' }]);
  }
}
