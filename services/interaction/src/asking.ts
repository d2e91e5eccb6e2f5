import type { BotDefinition } from '@parley/bot/definition';
import { answerModel, type ModelOutcome } from '@parley/bot/engine';
import { changeTriesMax } from '@parley/runtime/errors';
import { repeat, type Schedule } from '@parley/runtime/schedule';
import { inSpan, SpanKind } from '@parley/runtime/telemetry';
import { commitChange } from './commit-change.ts';
import { askModel, type AskModelOptions, noAnswer } from './ask-model.ts';
import type { Deps } from './deps.ts';
import { type InteractionRow, loadInteraction } from './interaction-store.ts';
import { type Claimed, claimWaiting, giveBack } from './model-store.ts';
import { epochSeconds } from './snapshot.ts';
import { turnChange } from './turn-change.ts';

/** Talks that another copy has left behind, and those that have waited too long, are seen within this time. */
const pollMs = 1_000;
/** Where no model is set up only a talk from a time when there was can be left. */
const pollWithoutModelMs = 30_000;
/** How many questions this process asks at once. */
const questionsMax = 32;
/** How many of them may be of one workspace: the other half is there for the others. */
const questionsOfOneMax = 16;
/** How many overdue conversations are ended at once. Each takes up to 0.5 MB, beside those of `questionsMax`. */
const overdueMax = 8;
/** What a process has left after a time-out to save what came of it before another takes the talk. */
const leaseMarginMs = 5_000;

interface AskingOptions extends AskModelOptions, Pick<Deps, 'db' | 'definitions' | 'relay' | 'watch'> {}

/**
 * Puts to the model what talks wait for: takes them under a lease, asks outside of any transaction, and saves what came
 * of it if the talk still waits for that, all in the trace of what made it wait. A talk that has waited for its turn as long
 * as an answer may take goes on without one. Any number of copies may run; a question whose process has died is asked again
 * by any of them, and the talk goes on once. `wake` after a commit that made a talk wait. Disposing gives back what is under way.
 */
export function startAsking(options: AskingOptions): Schedule {
  const { db, logger, timeoutMs } = options;
  const ended = new AbortController();
  const underWay = new Set<{ workspaceId: string; done: Promise<void> }>();
  let mayBeMore = false;

  const everyMs = options.model ? pollMs : pollWithoutModelMs;
  const claiming = repeat('ask the model', everyMs, logger, async () => {
    const overdue = await claimWaiting(db, {
      leaseMs: leaseMarginMs,
      limit: overdueMax,
      waitedMs: timeoutMs,
    });
    await Promise.all(overdue.map((talk) => seeTo(talk, () => noAnswer(talk, 'no_turn', logger))));
    const isClaimed = await claim();
    return overdue.length === overdueMax || isClaimed;
  });

  /** Takes as many as there is room for; true when there may be more, and room. */
  const claim = async (): Promise<boolean> => {
    const limit = questionsMax - underWay.size;
    mayBeMore = true;
    if (limit === 0) return false;
    const claimed = await claimWaiting(db, {
      leaseMs: timeoutMs + leaseMarginMs,
      limit,
      ofOneMax: questionsOfOneMax,
      underWay: countByWorkspace(underWay),
    });
    for (const talk of claimed) {
      const done = seeTo(talk, (definition) => ask(talk, definition)).finally(() => {
        underWay.delete(asking);
        if (mayBeMore) claiming.wake();
      });
      const asking = { workspaceId: talk.workspaceId, done };
      underWay.add(asking);
    }
    const isAnyFull = Object.values(countByWorkspace(underWay)).some((n) => n >= questionsOfOneMax);
    mayBeMore = claimed.length === limit || isAnyFull;
    return claimed.length === limit && underWay.size < questionsMax;
  };

  const ask = (talk: Claimed, definition: BotDefinition): Promise<ModelOutcome> =>
    inSpan('ask the model', { kind: SpanKind.CLIENT }, () =>
      askModel(talk, definition, options, ended.signal),
    );

  const seeTo = async (talk: Claimed, outcomeOf: OutcomeOf): Promise<void> => {
    const spanOptions = {
      attributes: { 'parley.interaction.id': talk.id },
      parent: talk.modelTraceparent,
    };
    const work = async (): Promise<void> => {
      try {
        await goOn({ ...options, asking: claiming }, talk, outcomeOf);
      } catch (error) {
        // The lease runs out, and the question is asked again.
        if (!ended.signal.aborted)
          logger.warn({ err: error, interactionId: talk.id }, 'a talk could not go on');
        else await giveBack(db, talk).catch(() => {});
        throw error;
      }
    };
    // Told in there, where the line has the trace.
    await inSpan('let a talk go on', spanOptions, work).catch(() => {});
  };

  return {
    wake: claiming.wake,
    [Symbol.asyncDispose]: async () => {
      await claiming[Symbol.asyncDispose]();
      ended.abort();
      await Promise.all([...underWay].map(({ done }) => done));
    },
  };
}

/** What there is instead of the model's answer, or that answer. */
type OutcomeOf = (definition: BotDefinition) => ModelOutcome | Promise<ModelOutcome>;

/** Lets the talk go on by the outcome, if it still waits for that; throws when others change it again and again. */
async function goOn(
  deps: Pick<Deps, 'db' | 'definitions' | 'relay' | 'watch' | 'asking'>,
  talk: Claimed,
  outcomeOf: OutcomeOf,
): Promise<void> {
  const { definition } = await deps.definitions.of(talk);
  const outcome = await outcomeOf(definition);
  let row: InteractionRow = talk;
  for (let tries = 0; tries < changeTriesMax; tries += 1) {
    if (!row.state) return;
    const now = new Date();
    const turn = answerModel(definition, row.state, { outcome, now: epochSeconds(now) });
    if ('rejected' in turn) throw new Error(`an answer was taken and then was not: ${turn.rejected.reason}`);
    if (await commitChange(deps, row, { modelDueAt: null, ...turnChange(row, turn, now) })) return;
    const current = await loadInteraction(deps.db, row.workspaceId, row.id);
    if (!current || !asksTheSame(row, current)) return;
    row = current;
  }
  throw new Error('others change the talk at the same time');
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

function countByWorkspace(talks: Iterable<{ workspaceId: string }>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { workspaceId } of talks) counts[workspaceId] = (counts[workspaceId] ?? 0) + 1;
  return counts;
}
