import type {
  ExportInteractionsRequest,
  ExportInteractionsResponse,
  Interaction,
} from '@parley/contracts/interaction/v1/interaction';

/** The position of an export behind the interaction of this index. */
export function positionAt(index: number, { id }: Pick<Interaction, 'id'>): string {
  return `${index + 1}_${id}`;
}

/** Returns a page of an export with one interaction of the history. */
export function exportedPage(
  { history, hasUnsettled }: { history: Interaction[]; hasUnsettled: boolean },
  { cursor }: ExportInteractionsRequest,
): ExportInteractionsResponse {
  const at = Number(cursor.split('_')[0] ?? 0);
  const [interaction] = history.slice(at, at + 1);
  const hasMore = at + 1 < history.length;
  if (!interaction) return { interactions: [], cursor, hasMore, hasUnsettled };
  const own = positionAt(at, interaction);
  const exported = {
    interaction,
    botKey: 'nps',
    botVersion: 4,
    startedAt: interaction.createdAt,
    completedAt: null,
    updatedAt: interaction.createdAt,
    evaluation: { why: '=1+1, "x"\n@Ü', nps_score: '-1', status: 'gold;=1' },
    cursor: own,
  };
  return { interactions: [exported], cursor: own, hasMore, hasUnsettled };
}
