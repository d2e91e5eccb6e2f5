import type { BotDefinition } from '@parley/bot/definition';
import { answerModel, type ModelOutcome } from '@parley/bot/engine';
import { askAgain, modelQuestion, type ModelQuestion } from '@parley/bot/model-question';
import type { Logger } from '@parley/runtime/logger';
import { type Model, ModelFault } from './model.ts';
import type { Claimed } from './model-store.ts';

/** How often a question is taken before it counts as failed: it may be what ends the processes that take it. */
const triesMax = 3;

/** Whom to ask, and how long it may take. */
export interface Consulting {
  /** Undefined where none is set up: what waits for one, from a time when there was, fails. */
  model: Model | undefined;
  /** Of a question, with all that is tried again. */
  timeoutMs: number;
  logger: Logger;
}

/** What the model says to the question of the talk, in the form that its step takes, or that there is no such thing. */
export async function consult(
  talk: Claimed,
  definition: BotDefinition,
  { model, timeoutMs, logger }: Consulting,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  const { state, modelTries } = talk;
  const question = state && modelQuestion(definition, state, talk.transcript ?? []);
  if (!question) throw new Error('the talk does not wait for the model');
  const fail = (fault: string, code?: string): ModelOutcome => noAnswer(talk, fault, logger, code);
  if (!model) return fail('not_set_up');
  if (modelTries > triesMax) return fail('tried_too_often');
  const startedAtMs = Date.now();
  const untilMs = startedAtMs + timeoutMs;
  const refusalOf = (text: string): string | undefined => {
    const turn = answerModel(definition, state, { outcome: { text }, now: startedAtMs / 1_000 });
    return 'rejected' in turn ? turn.rejected.detail : undefined;
  };
  const ask = (asked: ModelQuestion): Promise<string> => model.ask(asked, untilMs, signal);
  try {
    let text = await ask(question);
    const refusal = refusalOf(text);
    if (refusal !== undefined) {
      text = await ask(askAgain(question, text, refusal));
      if (refusalOf(text) !== undefined) return fail('wrong_form');
    }
    logger.info({ ...lineOf(talk), durationMs: Date.now() - startedAtMs }, 'the model answered');
    return { text };
  } catch (error) {
    if (error instanceof ModelFault) return fail(error.message, error.code);
    throw error;
  }
}

/** That there is no answer; `fault` is a word for the log, `code` says which network fault it was. */
export function noAnswer(talk: Claimed, fault: string, logger: Logger, code?: string): ModelOutcome {
  logger.warn({ ...lineOf(talk), fault, ...(code !== undefined && { code }) }, 'the model gave no answer');
  return { failed: true };
}

function lineOf({ id: interactionId, state }: Claimed) {
  return { interactionId, stepId: state?.awaiting?.stepId };
}
