import { answerModel, type ModelOutcome } from '@parley/bot/engine';
import type { BotDefinition } from '@parley/bot/definition';
import { askAgain, modelQuestion, type ModelQuestion } from '@parley/bot/model-question';
import type { Logger } from '@parley/runtime/logger';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { inSpan, SpanKind } from '@parley/runtime/telemetry';
import type { Kysely } from 'kysely';
import { completionEvent } from './completion.ts';
import type { Definitions } from './definitions.ts';
import { type InteractionRow, loadInteraction, saveInteraction } from './interaction-store.ts';
import { type Model, ModelFault } from './model.ts';
import { type Claimed, claimWaiting, giveBack } from './model-store.ts';
import type { Tables } from './schema.ts';
import { epochSeconds } from './snapshot.ts';
import { turnChange } from './turn-change.ts';
import type { Watch } from './watch.ts';

/** Talks that another copy has left behind are seen within this time. */
const pollMs = 1_000;
/** How many questions this process asks at once. */
const questionsMax = 16;
/** How often a question is taken before it counts as failed: it may be what ends the processes that take it. */
const triesMax = 3;
/** What a process has left after a time-out to save what came of it before another takes the talk. */
const leaseMarginMs = 5_000;
/** How often a result is saved anew when others change the same row. */
const savesMax = 20;

interface AskingOptions {
  db: Kysely<Tables>;
  definitions: Definitions;
  /** Undefined where none is set up: what waits for one, from a time when there was, fails. */
  model: Model | undefined;
  /** Of a question, with all that is tried again. */
  timeoutMs: number;
  relay: Pick<Schedule, 'wake'>;
  watch: Pick<Watch, 'wake'>;
  logger: Logger;
}

/**
 * Puts to the model what talks wait for: takes them under a lease, asks outside of any transaction, and saves what came
 * of it if the talk still waits for that. Any number of copies may run; a question whose process has died is asked
 * again by any of them, and the talk goes on once. `wake` after a commit that made a talk wait. Disposing gives back
 * what is under way.
 */
export function startAsking(options: AskingOptions): Schedule {
  const { db, logger, timeoutMs } = options;
  const ended = new AbortController();
  const underWay = new Set<Promise<void>>();
  let mayBeMore = false;

  const claiming = repeat('ask the model', pollMs, logger, async () => {
    const limit = questionsMax - underWay.size;
    mayBeMore = true;
    if (limit === 0) return false;
    const claimed = await claimWaiting(db, { leaseMs: timeoutMs + leaseMarginMs, limit });
    mayBeMore = claimed.length === limit;
    for (const talk of claimed) {
      const asking = seeTo(talk).finally(() => {
        underWay.delete(asking);
        if (mayBeMore) claiming.wake();
      });
      underWay.add(asking);
    }
    return mayBeMore && underWay.size < questionsMax;
  });

  const seeTo = async (talk: Claimed): Promise<void> => {
    try {
      const waitsAgain = await goOn(talk, options, ended.signal);
      if (waitsAgain) claiming.wake();
    } catch (error) {
      // The lease runs out, and the question is asked again.
      if (!ended.signal.aborted)
        logger.warn({ err: error, interactionId: talk.id }, 'a talk could not go on');
      else await giveBack(db, talk).catch(() => {});
    }
  };

  return {
    wake: claiming.wake,
    [Symbol.asyncDispose]: async () => {
      await claiming[Symbol.asyncDispose]();
      ended.abort();
      await Promise.all(underWay);
    },
  };
}

/** Asks and saves; true when the talk waits for the model again. */
async function goOn(talk: Claimed, options: AskingOptions, signal: AbortSignal): Promise<boolean> {
  const { definition } = await options.definitions.of(talk);
  const outcome = await inSpan('ask the model', { kind: SpanKind.CLIENT }, (span) => {
    span.setAttribute('parley.interaction.id', talk.id);
    return consult(talk, definition, options, signal);
  });
  let row: InteractionRow = talk;
  for (let saves = 0; saves < savesMax && row.state; saves += 1) {
    const now = new Date();
    const turn = answerModel(definition, row.state, { outcome, now: epochSeconds(now) });
    if ('rejected' in turn) throw new Error(`an answer was taken and then was not: ${turn.rejected.reason}`);
    const change = { modelDueAt: null, ...turnChange(row, turn, now) };
    const event = completionEvent(row, change, now);
    const saved = await saveInteraction(options.db, row, change, event, null);
    if (saved) {
      options.watch.wake(saved.id, saved.version);
      if (event) options.relay.wake();
      return turn.state.awaiting !== undefined;
    }
    const current = await loadInteraction(options.db, row.workspaceId, row.id);
    if (!current || !asksTheSame(row, current)) return false;
    row = current;
  }
  return false;
}

/** What the model says to the question of the talk, in the form that its step takes, or that there is no such thing. */
async function consult(
  talk: Claimed,
  definition: BotDefinition,
  { model, timeoutMs, logger }: AskingOptions,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  const { state, id: interactionId, modelTries } = talk;
  const question = state && modelQuestion(definition, state, talk.transcript ?? []);
  if (!question) throw new Error('the talk does not wait for the model');
  const line = { interactionId, stepId: state.awaiting?.stepId };
  const fail = (fault: string): ModelOutcome => {
    logger.warn({ ...line, fault }, 'the model gave no answer');
    return { failed: true };
  };
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
    logger.info({ ...line, durationMs: Date.now() - startedAtMs }, 'the model answered');
    return { text };
  } catch (error) {
    if (error instanceof ModelFault) return fail(error.message);
    throw error;
  }
}

/** Whether a row that has changed still waits for an answer to what was asked, and holds nothing less than it did then. */
function asksTheSame(asked: InteractionRow, now: InteractionRow): boolean {
  return (
    now.status === 'InProgress' &&
    now.redactedVersion === asked.redactedVersion &&
    now.state?.awaiting !== undefined &&
    now.state.modelTurns === asked.state?.modelTurns &&
    now.seq === asked.seq
  );
}
