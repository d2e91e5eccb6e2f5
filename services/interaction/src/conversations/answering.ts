import { hash } from 'node:crypto';
import type { BotDefinition } from '@parley/bot/definition';
import type { Slices } from '@parley/bot/slices';
import type { Answer } from '@parley/bot/engine';
import {
  endedRejection,
  takeMessage,
  takeRevision,
  type MessageRefusal,
} from '@parley/bot/stored-conversation';
import type { PostMessageRequest } from '@parley/contracts/interaction/v1/conversation';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import type { InteractionChange, InteractionRow } from '../interactions/store.ts';
import { epochSeconds, turnChange } from '../interactions/turn-change.ts';

type Message = Pick<PostMessageRequest, 'expectedSeq' | 'stepId' | 'answer'> &
  Partial<Pick<PostMessageRequest, 'revises'>>;

/** The outcome of a new message: a change to save, nothing because it is late, or an error. */
export type Verdict = { change: InteractionChange } | { stale: true } | { error: AppError };

/**
 * Returns the outcome of a message (`takeMessage`), or of a revision (`takeRevision`). Its error is GONE after the end
 * of the conversation, FAILED_PRECONDITION before its start, UNPROCESSABLE for an answer that does not fit, and
 * PERMISSION_DENIED for a revision that is not allowed. Throws INVALID_ARGUMENT for a malformed answer.
 */
export function* judge(
  conversation: Pick<InteractionRow, 'status' | 'seq' | 'state' | 'transcript'>,
  definition: BotDefinition | null,
  message: Message,
  now: Date,
  hasModel: boolean,
): Slices<Verdict> {
  const { expectedSeq, stepId } = message;
  const given = { expectedSeq, stepId, answer: answerOf(message) };
  const take = message.revises ? takeRevision : takeMessage;
  const judged = yield* take(conversation, definition, given, { now: epochSeconds(now), hasModel });
  if ('turn' in judged) {
    // A revision cancels a question to the model.
    const asked = conversation.state?.awaiting && { modelDueAt: null };
    return { change: { ...asked, ...turnChange(conversation, judged.turn, judged.definition, now) } };
  }
  return 'refused' in judged ? { error: refusalError(judged.refused) } : judged;
}

/**
 * Returns the SHA-256 of a message with `expectedSeq` and `stepId`: a repeated message equals the first in every field,
 * and the same text for another question is another message.
 */
export function fingerprintOf({ expectedSeq, stepId, answer, revises }: Message): Buffer {
  const message = [expectedSeq, stepId, answer?.$case ?? null, answer?.value ?? null];
  const payload = JSON.stringify(revises ? [...message, 'revises'] : message);
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
  'revising-off': 'permission_denied',
} as const;

function refusalError({ type, detail }: MessageRefusal): AppError {
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
