import type { BotDefinition } from '@parley/bot/definition';
import { answerModel, type ModelOutcome } from '@parley/bot/engine';
import { askAgain, modelQuestion, type ModelQuestion } from '@parley/bot/model-question';
import type { Compute } from '@parley/runtime/compute-queue';
import type { Logger } from '@parley/runtime/logger';
import { type Model, ModelFault } from './model.ts';
import type { Claimed } from './store.ts';

/** A question fails after this many attempts: it may crash the processes that take it. */
const triesMax = 3;

/** The model and its time limit. */
export interface AskModelOptions {
  /** Undefined without configuration: questions from an earlier configuration fail. */
  model: Model | undefined;
  /** The time limit of a question, retries included. */
  timeoutMs: number;
  compute: Compute;
  logger: Logger;
}

/**
 * Asks the model the question of the conversation, at most twice. Returns an answer in the form of its step, or the
 * failure.
 */
export async function askModel(
  conversation: Claimed,
  definition: BotDefinition,
  { model, timeoutMs, compute, logger }: AskModelOptions,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  const { state, modelTries } = conversation;
  const question = state && modelQuestion(definition, state, conversation.transcript ?? []);
  if (!question) throw new Error('the conversation does not wait for the model');
  const fail = (fault: string, code?: string): ModelOutcome => noAnswer(conversation, fault, logger, code);
  if (!model) return fail('not_configured');
  if (modelTries > triesMax) return fail('attempts_exhausted');
  const startedAtMs = Date.now();
  const untilMs = startedAtMs + timeoutMs;
  const refusalOf = async (text: string): Promise<string | undefined> => {
    const given = { outcome: { text }, now: startedAtMs / 1_000 };
    const turn = await compute(() => answerModel(definition, state, given));
    return 'rejected' in turn ? turn.rejected.detail : undefined;
  };
  const ask = (asked: ModelQuestion): Promise<string> => model.ask(asked, untilMs, signal);
  try {
    let text = await ask(question);
    const refusal = await refusalOf(text);
    if (refusal !== undefined) {
      text = await ask(askAgain(question, text, refusal));
      if ((await refusalOf(text)) !== undefined) return fail('invalid_answer');
    }
    logger.info({ ...lineOf(conversation), durationMs: Date.now() - startedAtMs }, 'the model answered');
    return { text };
  } catch (error) {
    if (error instanceof ModelFault) return fail(error.message, error.code);
    throw error;
  }
}

/** Logs and returns a failure; `code` is the network fault. */
export function noAnswer(conversation: Claimed, fault: string, logger: Logger, code?: string): ModelOutcome {
  logger.warn(
    { ...lineOf(conversation), fault, ...(code !== undefined && { code }) },
    'the model gave no answer',
  );
  return { failed: true };
}

function lineOf({ id: interactionId, state }: Claimed) {
  return { interactionId, stepId: state?.awaiting?.stepId };
}
