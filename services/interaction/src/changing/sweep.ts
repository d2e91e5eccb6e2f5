/** How many workspaces with much to do get a batch in a pass, one after another. */
const batchesMax = 10;

/** The shortest rest after a pass that leaves rows, and the least in relation to the pass. */
const restMsMin = 1_000;
const restFactor = 4;

/**
 * Runs a batch over the due rows of all workspaces. As long as batches are full, runs another one, except for the
 * workspaces that had rows before: so a workspace with much that is due delays no other. `run` returns the workspaces
 * of its rows. Returns whether there may be more.
 */
export async function sweepInShares(
  batchMax: number,
  run: (except: readonly string[]) => Promise<readonly string[]>,
): Promise<boolean> {
  const served = new Set<string>();
  for (let batch = 1; batch <= batchesMax; batch += 1) {
    const workspaceIds = await run([...served]);
    if (workspaceIds.length < batchMax) return batch > 1;
    for (const id of workspaceIds) served.add(id);
  }
  return true;
}

/**
 * Runs a pass of a sweep. Returns how many milliseconds the sweep then rests; undefined if the pass leaves nothing. The
 * events of a sweep are in the log with the events of all workspaces, so they must not come faster than consumers
 * handle them.
 */
export async function restAfter(pass: () => Promise<boolean>): Promise<number | undefined> {
  const startedAtMs = performance.now();
  if (!(await pass())) return undefined;
  return Math.max(restMsMin, restFactor * (performance.now() - startedAtMs));
}
