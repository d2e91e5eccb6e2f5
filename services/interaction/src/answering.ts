import { createHash } from 'node:crypto';
import type { BotDefinition } from '@parley/bot/definition';
import type { Answer } from '@parley/bot/engine';
import { endedRejection, takeMessage, type Refusal } from '@parley/bot/stored-conversation';
import type { PostMessageRequest } from '@parley/contracts/interaction/v1/conversation';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';
import { epochSeconds } from './snapshot.ts';
import { turnChange } from './turn-change.ts';

type Message = Pick<PostMessageRequest, 'expectedSeq' | 'stepId' | 'answer'>;

/** What comes of a message that was not taken before: a change to save, no change since it came late, or an error. */
export type Verdict = { change: InteractionChange } | { stale: true } | { error: AppError };

/**
 * Judges a message by the talk as it was read (`takeMessage`): GONE when it has ended, FAILED_PRECONDITION before its
 * start, UNPROCESSABLE when the answer does not fit the question. INVALID_ARGUMENT, thrown, for what is no answer.
 */
export function judge(
  talk: Pick<InteractionRow, 'status' | 'seq' | 'state' | 'transcript'>,
  definition: BotDefinition | null,
  message: Message,
  now: Date,
  hasModel = false,
): Verdict {
  const { expectedSeq, stepId } = message;
  const given = { expectedSeq, stepId, answer: answerOf(message) };
  const judged = takeMessage(talk, definition, given, { now: epochSeconds(now), hasModel });
  if ('turn' in judged) return { change: turnChange(talk, judged.turn, now) };
  return 'refused' in judged ? { error: refusalError(judged.refused) } : judged;
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
  return refusalError(endedRejection);
}

const refusalCodes = {
  'conversation-ended': 'gone',
  'not-started': 'failed_precondition',
  'unanswerable-answer': 'unprocessable',
} as const;

function refusalError({ type, detail }: Refusal): AppError {
  return new AppError(refusalCodes[type], type, detail);
}

function answerOf({ answer: given }: Message): Answer {
  if (given?.$case === 'text') return { text: given.value };
  if (given?.$case === 'skip' && given.value) return { skip: true };
  if (given?.$case !== 'valueJson') {
    throw invalidRequest([{ pointer: '/answer', detail: 'Must have one of value, text and skip: true' }]);
  }
  try {
    return { value: JSON.parse(given.value) as unknown };
  } catch {
    throw invalidRequest([{ pointer: '/answer/value', detail: 'Must be JSON' }]);
  }
}
