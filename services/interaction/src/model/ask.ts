import type { BotDefinition } from '@parley/bot/definition';
import type { ModelOutcome } from '@parley/bot/engine';
import { answerModel } from '@parley/bot/model-answer';
import { askAgain, modelQuestion, type ModelQuestion } from '@parley/bot/model-question';
import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { type Model, ModelFault } from './model.ts';
import type { Claimed } from './store.ts';

/** A question fails after this many attempts: it may crash the processes that take it. */
const triesMax = 3;

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
  const fail = (fault: string, more?: { code?: string | undefined; reason?: string }): ModelOutcome =>
    noAnswer(conversation, fault, logger, more);
  if (!model) return fail('not_configured');
  if (modelTries > triesMax) return fail('attempts_exhausted');
  const startedAtMs = Date.now();
  const untilMs = startedAtMs + timeoutMs;
  const refusalOf = async (text: string) => {
    const given = { outcome: { text }, now: startedAtMs / 1_000 };
    const turn = await compute(() => answerModel(definition, state, given));
    return 'rejected' in turn ? turn.rejected : undefined;
  };
  const ask = (asked: ModelQuestion): Promise<string> => model.ask(asked, untilMs, signal);
  try {
    let text = await ask(question);
    const refusal = await refusalOf(text);
    if (refusal !== undefined) {
      logger.info({ ...lineOf(conversation), reason: refusal.reason }, 'the model must answer again');
      text = await ask(askAgain(question, text, refusal.detail));
      const again = await refusalOf(text);
      if (again !== undefined) return fail('invalid_answer', { reason: again.reason });
    }
    logger.info({ ...lineOf(conversation), durationMs: Date.now() - startedAtMs }, 'the model answered');
    return { text };
  } catch (error) {
    if (error instanceof ModelFault) return fail(error.message, { code: error.code });
    throw error;
  }
}

/** Logs and returns a failure. `code` is the network fault, `reason` what was wrong with an answer. */
export function noAnswer(
  conversation: Claimed,
  fault: string,
  logger: Logger,
  { code, reason }: { code?: string | undefined; reason?: string } = {},
): ModelOutcome {
  logger.warn(
    {
      ...lineOf(conversation),
      fault,
      ...(code !== undefined && { code }),
      ...(reason !== undefined && { reason }),
    },
    'the model gave no answer',
  );
  return { failed: true };
}

function lineOf({ id: interactionId, state }: Claimed) {
  return { interactionId, stepId: state?.awaiting?.stepId };
}
