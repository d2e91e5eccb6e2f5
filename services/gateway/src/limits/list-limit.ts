import type { Interaction } from '@parley/contracts/interaction/v1/interaction';

/** Loads a part of a list of interactions, immediately or after earlier parts of the workspace. */
export type ListLimit = <Part extends { interactions: Interaction[] }>(
  workspaceId: string,
  load: () => Promise<Part>,
) => Promise<Part>;

/** The parts of one workspace that are being loaded or wait. */
interface Loads {
  /** How many bytes the next part counts. */
  estimate: number;
  /** The sum of the estimates of the parts that are being loaded. */
  bytes: number;
  waiting: ((counted: number) => void)[];
}

/** How many bytes a part counts while no size is known. */
const firstEstimate = 32 * 1024;
/** About how many bytes a row has without its history and its context. */
const rowBytes = 256;

/**
 * Limits the parts of one workspace that are loaded at once to about `bytesMax`, or to one larger part. Further parts
 * wait in order. Workspaces do not affect each other.
 *
 * The size of a part is known only when it is loaded. So a part counts as much as the largest part of its workspace,
 * less 1/16 for each part since: a few large parts among many small ones still count. The estimate is dropped when
 * nothing of the workspace is being loaded.
 */
export function createListLimit(bytesMax: number): ListLimit {
  const byWorkspace = new Map<string, Loads>();
  const start = (loads: Loads): void => {
    while (loads.bytes === 0 || loads.bytes + loads.estimate <= bytesMax) {
      const next = loads.waiting.shift();
      if (!next) return;
      loads.bytes += loads.estimate;
      next(loads.estimate);
    }
  };
  return async (workspaceId, load) => {
    const loads = byWorkspace.get(workspaceId) ?? { estimate: firstEstimate, bytes: 0, waiting: [] };
    byWorkspace.set(workspaceId, loads);
    const counted = await new Promise<number>((resolve) => {
      loads.waiting.push(resolve);
      start(loads);
    });
    try {
      const part = await load();
      // Whole numbers, so that the sum returns to exactly 0.
      loads.estimate = Math.max(bytesOf(part.interactions), Math.ceil((loads.estimate * 15) / 16));
      return part;
    } finally {
      loads.bytes -= counted;
      start(loads);
      if (loads.bytes === 0) byWorkspace.delete(workspaceId);
    }
  };
}

function bytesOf(rows: Interaction[]): number {
  let bytes = rowBytes;
  for (const { data, context } of rows) {
    bytes += rowBytes + (data?.length ?? 0);
    for (const { value } of context) bytes += value.length;
  }
  return bytes;
}
