import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { CallOptions } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import type { RouteDeps } from '../../route-deps.ts';
import { type Reader, requirePersonalData } from '../../values/reader.ts';

export interface InteractionReader extends Reader {
  /**
   * The names whose values are not personal, and what the bot says: by the ids of interactions. Empty if the caller
   * sees all.
   */
  readonly nonPersonal: ReadonlyMap<string, NonPersonal>;
}

interface NonPersonal {
  evaluation: ReadonlySet<string>;
  context: ReadonlySet<string>;
  /** By the entries of the transcript: what the bot says, without what was filled in. */
  texts: readonly (string | undefined)[];
}

/** Returns the reader of interactions. Asks which of their names are personal, if the caller does not see all. */
export async function readerOfInteractions(
  reader: Reader,
  workspaceId: string,
  rows: readonly (Pick<Interaction, 'id'> | null | undefined)[],
  rpc: () => CallOptions,
  { interactions }: Pick<RouteDeps, 'interactions'>,
): Promise<InteractionReader> {
  const nonPersonal = new Map<string, NonPersonal>();
  const interactionIds = rows.flatMap((row) => row?.id ?? []);
  if (reader.seesPersonalData || interactionIds.length === 0) return { ...reader, nonPersonal };
  const named = await interactions
    .listNonPersonalNames({ workspaceId, interactionIds }, rpc())
    .catch(unlessUnknown);
  for (const { interactionId, evaluation, context, transcript } of named?.interactions ?? []) {
    const texts = transcript.map((place) => named?.texts[place - 1]);
    nonPersonal.set(interactionId, { evaluation: new Set(evaluation), context: new Set(context), texts });
  }
  return { ...reader, nonPersonal };
}

/** Throws 403 if a filter names a key that is personal in a bot, and the caller does not see personal data. */
export async function requireEvaluationFilters(
  reader: Reader,
  { workspaceId, evaluation, botId, botKey }: EvaluationFilters,
  rpc: () => CallOptions,
  { bots }: Pick<RouteDeps, 'bots'>,
): Promise<void> {
  if (reader.seesPersonalData || evaluation.length === 0) return;
  const keys = [...new Set(evaluation.map((entry) => entry.slice(0, entry.indexOf(':'))))];
  const known = await bots
    .listPersonalKeys({ workspaceId, keys, id: botId, key: botKey }, rpc())
    .catch(unlessUnknown);
  if (known?.keys.length !== 0) requirePersonalData(reader, '/query/evaluation');
}

interface EvaluationFilters {
  workspaceId: string;
  /** Entries `key:value`. */
  evaluation: readonly string[];
  botId?: string | null | undefined;
  botKey?: string | null | undefined;
}

// A replica of an earlier release does not know the method. Then everything may be personal.
function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'internal') throw error;
}
