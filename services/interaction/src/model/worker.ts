import type { BotDefinition } from '@parley/bot/definition';
import type { ConversationState, ModelOutcome } from '@parley/bot/engine';
import { answerModel } from '@parley/bot/model-answer';
import { withWaiting } from '@parley/bot/revise';
import type { Slices } from '@parley/bot/slices';
import { changeAttemptsMax } from '@parley/runtime/errors';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';
import { idAttributes } from '@parley/runtime/telemetry/span-ids';
import { inSpan, SpanKind } from '@parley/runtime/telemetry/telemetry';
import { inWork } from '@parley/runtime/scheduling/work';
import type { Deps } from '../deps.ts';
import { commitChange } from '../changing/commit-change.ts';
import { inSlices } from '../in-slices.ts';
import { type InteractionChange, type InteractionRow, loadInteraction } from '../interactions/store.ts';
import { epochSeconds, turnChange } from '../interactions/turn-change.ts';
import { askModel, type AskModelOptions, noAnswer } from './ask.ts';
import { type Claimed, claimWaiting, releaseClaim } from './store.ts';
import { asksTheSame, askWhileWanted } from './wanted.ts';

/** The interval of looking for conversations that are overdue, or that another replica has given up. */
const pollMs = 1_000;
/** Without a model, only conversations from an earlier configuration wait. */
const pollWithoutModelMs = 30_000;
/** Questions in flight per process. */
const questionsMax = 32;
/** Questions in flight per workspace: a single workspace cannot use the whole capacity. */
const questionsPerWorkspaceMax = 16;
/** Overdue conversations that end at once. Each takes up to 0.5 MB, besides the `questionsMax` others. */
const overdueMax = 8;
/** The time to save an outcome after a timeout, before another process claims the conversation. */
const leaseMarginMs = 5_000;

interface ModelWorkerOptions
  extends AskModelOptions,
    Pick<Deps, 'db' | 'definitions' | 'compute' | 'relay' | 'watch'> {}

/** Undefined: the conversation does not wait for it any more. */
type OutcomeOf = (definition: BotDefinition) => ModelOutcome | undefined | Promise<ModelOutcome | undefined>;

/**
 * Asks the model the questions that conversations wait for. Claims them with a lease, asks outside of any transaction,
 * and saves the outcome if the conversation still waits for it, in the trace of the call that made it wait. A
 * conversation continues without an answer if no process claimed it within the time limit of an answer. Replicas share
 * the work: another one asks again if a process dies. Call `wake` after a commit that made a conversation wait.
 * Disposing releases the claims.
 */
export class ModelWorker implements Schedule {
  readonly #options: ModelWorkerOptions;
  readonly #ended = new AbortController();
  readonly #inFlight = new Set<{ workspaceId: string; done: Promise<void> }>();
  readonly #claiming: Schedule;
  #mayBeMore = false;

  constructor(options: ModelWorkerOptions) {
    this.#options = options;
    const everyMs = options.model ? pollMs : pollWithoutModelMs;
    this.#claiming = repeat('ask the model', everyMs, options.logger, async () => {
      const isAnyOverdueLeft = await this.#endOverdue();
      return (await this.#claim()) || isAnyOverdueLeft;
    });
  }

  wake(): void {
    this.#claiming.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#claiming[Symbol.asyncDispose]();
    this.#ended.abort();
    await Promise.all([...this.#inFlight].map(({ done }) => done));
  }

  /** Ends the wait of overdue conversations. Returns true when there may be more. */
  async #endOverdue(): Promise<boolean> {
    const { db, logger, timeoutMs: waitedMs } = this.#options;
    const overdue = await claimWaiting(db, { leaseMs: leaseMarginMs, limit: overdueMax, waitedMs });
    await Promise.all(
      overdue.map((one) => this.#proceed(one, () => noAnswer(one, 'not_claimed_in_time', logger))),
    );
    return overdue.length === overdueMax;
  }

  /** Claims as many conversations as there is capacity for. Returns true when there may be more, and capacity. */
  async #claim(): Promise<boolean> {
    const limit = questionsMax - this.#inFlight.size;
    this.#mayBeMore = true;
    if (limit === 0) return false;
    const claimed = await claimWaiting(this.#options.db, {
      leaseMs: this.#options.timeoutMs + leaseMarginMs,
      limit,
      perWorkspaceMax: questionsPerWorkspaceMax,
      inFlight: countByWorkspace(this.#inFlight),
    });
    for (const conversation of claimed) this.#start(conversation);
    const isAnyFull = Object.values(countByWorkspace(this.#inFlight)).some(
      (n) => n >= questionsPerWorkspaceMax,
    );
    this.#mayBeMore = claimed.length === limit || isAnyFull;
    return claimed.length === limit && this.#inFlight.size < questionsMax;
  }

  #start(conversation: Claimed): void {
    const { timeoutMs } = this.#options;
    const limits = { timeoutMs, stop: this.#ended.signal };
    const ask = (definition: BotDefinition): Promise<ModelOutcome | undefined> =>
      inSpan('ask the model', { kind: SpanKind.CLIENT }, () =>
        askWhileWanted(this.#options, conversation, limits, (signal) =>
          askModel(conversation, definition, this.#options, signal),
        ),
      );
    const done = this.#proceed(conversation, ask).finally(() => {
      this.#inFlight.delete(asking);
      if (this.#mayBeMore) this.wake();
    });
    const asking = { workspaceId: conversation.workspaceId, done };
    this.#inFlight.add(asking);
  }

  /** Continues the conversation and logs a failure. Never rejects. */
  async #proceed(conversation: Claimed, outcomeOf: OutcomeOf): Promise<void> {
    const { db, logger } = this.#options;
    const spanOptions = {
      attributes: idAttributes({ workspaceId: conversation.workspaceId, interactionId: conversation.id }),
      parent: conversation.modelTraceparent,
    };
    const ofTenant = { tenant: conversation.workspaceId, signal: undefined };
    const work = async (): Promise<void> => {
      try {
        await inWork(ofTenant, () =>
          continueConversation({ ...this.#options, modelWorker: this }, conversation, outcomeOf),
        );
      } catch (error) {
        // The question is asked again when the lease has expired.
        if (!this.#ended.signal.aborted)
          logger.warn({ err: error, interactionId: conversation.id }, 'a conversation could not continue');
        else await releaseClaim(db, conversation).catch(() => {});
        throw error;
      }
    };
    // `work` has logged the error, with the trace of its span.
    await inSpan('continue a conversation', spanOptions, work).catch(() => {});
  }
}

/** Continues the conversation if it still waits for the outcome. Throws when others keep changing it. */
async function continueConversation(
  deps: Pick<Deps, 'db' | 'definitions' | 'compute' | 'relay' | 'watch' | 'modelWorker'> &
    Pick<AskModelOptions, 'model'>,
  conversation: Claimed,
  outcomeOf: OutcomeOf,
): Promise<void> {
  const { definition } = await deps.definitions.of(conversation);
  const outcome = await outcomeOf(definition);
  if (outcome === undefined) return;
  const hasModel = deps.model !== undefined;
  let row: InteractionRow = conversation;
  for (let tries = 0; tries < changeAttemptsMax; tries += 1) {
    const { state } = row;
    if (!state) return;
    const now = new Date();
    const change = await inSlices(deps.compute, changeBy(row, state, { definition, outcome, now, hasModel }));
    // One that has stalled does so again only after the customer's answer.
    const stalls = row.stallsAt === null && { stallsAt: null };
    if (await commitChange(deps, row, { modelDueAt: null, ...change, ...stalls })) return;
    const current = await loadInteraction(deps.db, row.workspaceId, row.id);
    if (!current || !asksTheSame(row, current)) return;
    row = current;
  }
  throw new Error('others change the conversation at the same time');
}

/** Returns the change by an outcome of the model. */
function* changeBy(
  row: InteractionRow,
  state: ConversationState,
  by: { definition: BotDefinition; outcome: ModelOutcome; now: Date; hasModel: boolean },
): Slices<InteractionChange> {
  const { definition, outcome, hasModel } = by;
  const now = epochSeconds(by.now);
  const turn = answerModel(definition, state, { outcome, now });
  if ('rejected' in turn) throw new Error(`an accepted answer was rejected: ${turn.rejected.reason}`);
  const told = { state, transcript: row.transcript ?? [] };
  const whole = yield* withWaiting(definition, told, turn, { now, hasModel });
  return turnChange(row, whole, definition, by.now);
}

function countByWorkspace(conversations: Iterable<{ workspaceId: string }>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { workspaceId } of conversations) counts[workspaceId] = (counts[workspaceId] ?? 0) + 1;
  return counts;
}
