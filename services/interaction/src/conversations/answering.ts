import { hash } from 'node:crypto';
import type { BotDefinition } from '@parley/bot/definition';
import type { Answer } from '@parley/bot/engine';
import { endedRejection, takeMessage, type Refusal } from '@parley/bot/stored-conversation';
import type { PostMessageRequest } from '@parley/contracts/interaction/v1/conversation';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import type { InteractionChange, InteractionRow } from '../interactions/store.ts';
import { epochSeconds, turnChange } from '../interactions/turn-change.ts';

type Message = Pick<PostMessageRequest, 'expectedSeq' | 'stepId' | 'answer'>;

/** The outcome of a new message: a change to save, nothing because it is late, or an error. */
export type Verdict = { change: InteractionChange } | { stale: true } | { error: AppError };

/**
 * Returns the outcome of a message (`takeMessage`). Its error is GONE after the end of the conversation,
 * FAILED_PRECONDITION before its start, and UNPROCESSABLE for an answer that does not fit the question. Throws
 * INVALID_ARGUMENT for a malformed answer.
 */
export function judge(
  conversation: Pick<InteractionRow, 'status' | 'seq' | 'state' | 'transcript'>,
  definition: BotDefinition | null,
  message: Message,
  now: Date,
  hasModel: boolean,
): Verdict {
  const { expectedSeq, stepId } = message;
  const given = { expectedSeq, stepId, answer: answerOf(message) };
  const judged = takeMessage(conversation, definition, given, { now: epochSeconds(now), hasModel });
  if ('turn' in judged) return { change: turnChange(conversation, judged.turn, judged.definition, now) };
  return 'refused' in judged ? { error: refusalError(judged.refused) } : judged;
}

/**
 * Returns the SHA-256 of a message with `expectedSeq` and `stepId`: a repeated message equals the first in every field,
 * and the same text for another question is another message.
 */
export function fingerprintOf({ expectedSeq, stepId, answer }: Message): Buffer {
  const payload = JSON.stringify([expectedSeq, stepId, answer?.$case ?? null, answer?.value ?? null]);
  return hash('sha256', payload, 'buffer');
}

/** GONE. */
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
