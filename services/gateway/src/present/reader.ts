import type { Principal } from '@parley/contracts/identity/v1/identity';
import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import type { Scope } from '@parley/contracts/scopes';
import type { CallOptions } from '@parley/rpc/definition';
import { AppError, missingScope } from '@parley/runtime/errors';
import type { RouteDeps } from '../route-deps.ts';

/** Stands for a personal value that the caller may not see. */
export const hidden = '[hidden]';

/** The scope of callers that see personal data. */
export const personalDataScope: Scope = 'personal-data:read';

/** What the schemas say about values that can be hidden. */
export const hiddenWithout = `\`${hidden}\` without the scope \`${personalDataScope}\``;

/** What a caller may see. Each presenter of personal data takes one. */
export interface Reader {
  readonly seesPersonalData: boolean;
}

/** What a caller may see of the interactions of an answer. */
export interface InteractionReader extends Reader {
  /** The names whose values are not personal: by the ids of interactions. Empty if the caller sees all. */
  readonly nonPersonal: ReadonlyMap<string, NonPersonal>;
}

interface NonPersonal {
  evaluation: ReadonlySet<string>;
  context: ReadonlySet<string>;
}

/** Returns what a principal may see. A replica of identity that does not know scopes accepts only keys that have all. */
export function readerOf({ scopes }: Pick<Principal, 'scopes'>): Reader {
  return { seesPersonalData: scopes.length === 0 || scopes.includes(personalDataScope) };
}

/** Returns a personal text, or `[hidden]`. Empty texts are hidden too: that there is none is personal as well. */
export function personalText(text: string, { seesPersonalData }: Reader): string {
  return seesPersonalData ? text : hidden;
}

/** Throws 403 if the caller does not see personal data. `pointer` names what would reveal it. */
export function requirePersonalData({ seesPersonalData }: Reader, pointer: string): void {
  if (!seesPersonalData) throw missingScope([{ pointer, detail: personalDataScope }]);
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
  for (const { interactionId, evaluation, context } of named?.interactions ?? []) {
    nonPersonal.set(interactionId, { evaluation: new Set(evaluation), context: new Set(context) });
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
