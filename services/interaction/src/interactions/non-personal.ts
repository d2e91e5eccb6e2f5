import type {
  ListNonPersonalNamesRequest,
  ListNonPersonalNamesResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { isPersonalContext, isPersonalKey } from '@parley/bot/personal-names';
import { invalidRequest } from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { loadNamed } from './non-personal-store.ts';

/** How many interactions a call is about at most. */
const interactionsMax = 500;

/** Returns the names in interactions that are not personal. */
export async function listNonPersonalNames(
  { db, definitions }: Pick<Deps, 'db' | 'definitions'>,
  { workspaceId, interactionIds }: ListNonPersonalNamesRequest,
): Promise<ListNonPersonalNamesResponse> {
  if (interactionIds.length > interactionsMax) {
    throw invalidRequest([{ pointer: '/interactionIds', detail: `Must be at most ${interactionsMax}` }]);
  }
  const rows = await loadNamed(db, workspaceId, interactionIds);
  return {
    interactions: await Promise.all(
      rows.map(async (row) => {
        const { definition } = await definitions.of(row);
        return {
          interactionId: row.id,
          evaluation: Object.keys(row.evaluation ?? {}).filter((key) => !isPersonalKey(definition, key)),
          context: row.context.flatMap(({ key }) => (isPersonalContext(definition, key) ? [] : [key])),
        };
      }),
    ),
  };
}
