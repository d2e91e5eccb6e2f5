import type {
  ExportInteractionsRequest,
  ExportInteractionsResponse,
  Interaction,
} from '@parley/contracts/interaction/v1/interaction';

/** The cursor of an export behind the interaction of this index. */
export function cursorAt(index: number, { id }: Pick<Interaction, 'id'>): string {
  return `${index + 1}.${id}`;
}

/** Returns a page of an export with one interaction of the history. */
export function exportedPage(
  { history, hasUnsettled }: { history: Interaction[]; hasUnsettled: boolean },
  { cursor }: ExportInteractionsRequest,
): ExportInteractionsResponse {
  const at = Number(cursor.split('.')[0] ?? 0);
  const [interaction] = history.slice(at, at + 1);
  const hasMore = at + 1 < history.length;
  if (!interaction) return { interactions: [], cursor, hasMore, hasUnsettled };
  const own = cursorAt(at, interaction);
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
