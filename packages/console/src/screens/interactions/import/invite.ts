import { chunksOf } from '@parley/bulk/chunks';
import type { CsvLine } from '@parley/bulk/csv-lines';
import { type Result, resultsOf } from '@parley/bulk/results';
import type { WorkspaceClient } from '@parley/client';

/** How many are created by one call: few enough that the bar moves. */
const itemsMax = 100;

export type Invited = Result<CsvLine>;

/**
 * Creates interactions in calls of a hundred. `done` has the results of an earlier try, whose interactions are not
 * created again. A repeated call has the same key, so it creates nothing twice. Throws the failure of a call.
 */
export async function invite(
  client: WorkspaceClient,
  { runId, lines }: { runId: string; lines: readonly CsvLine[] },
  done: Invited[],
  onProgress: (done: Invited[]) => void,
): Promise<void> {
  let all = done;
  let before = 0;
  for (const chunk of chunksOf(lines, itemsMax)) {
    const idempotencyKey = `${runId}-${before}`;
    before += chunk.length;
    if (before <= done.length) continue;
    const interactions = chunk.map(({ item }) => item);
    const { data } = await client.interactions.createBulk({ interactions }, { idempotencyKey });
    all = [...all, ...resultsOf(chunk, data)];
    onProgress(all);
  }
}
