import type {
  ListNonPersonalNamesRequest,
  ListNonPersonalNamesResponse,
} from '@parley/contracts/interaction/v1/interaction';
import { ownWords } from '@parley/bot/own-words';
import { isPersonalContext, isPersonalKey } from '@parley/bot/personal-names';
import { hidden } from '@parley/contracts/hidden';
import { invalidRequest } from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { inSlices } from '../in-slices.ts';
import { loadNamed } from './non-personal-store.ts';

const interactionsMax = 500;

/** Returns the names in interactions that are not personal, and what the bot says in them. */
export async function listNonPersonalNames(
  { db, definitions, compute }: Pick<Deps, 'db' | 'definitions' | 'compute'>,
  { workspaceId, interactionIds }: ListNonPersonalNamesRequest,
): Promise<ListNonPersonalNamesResponse> {
  if (interactionIds.length > interactionsMax) {
    throw invalidRequest([{ pointer: '/interactionIds', detail: `Must be at most ${interactionsMax}` }]);
  }
  const rows = await loadNamed(db, workspaceId, interactionIds);
  // Most interactions of a list are of a few bots, whose texts repeat.
  const places = new Map<string, number>();
  const placeOf = (text: string): number => {
    if (text === hidden) return 0;
    const place = places.get(text) ?? places.size + 1;
    places.set(text, place);
    return place;
  };
  return {
    interactions: await Promise.all(
      rows.map(async (row) => {
        const { definition } = await definitions.of(row);
        const texts = await inSlices(compute, ownWords(definition, row.transcript ?? [], hidden));
        return {
          interactionId: row.id,
          evaluation: Object.keys(row.evaluation ?? {}).filter((key) => !isPersonalKey(definition, key)),
          context: row.context.flatMap(({ key }) => (isPersonalContext(definition, key) ? [] : [key])),
          transcript: texts.map(placeOf),
        };
      }),
    ),
    texts: [...places.keys()],
  };
}
