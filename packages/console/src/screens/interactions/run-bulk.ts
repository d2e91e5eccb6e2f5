import { ParleyError, type WorkspaceClient } from '@parley/client';

/** What is done with many interactions. */
export type BulkAction = 'end' | 'delete';

/** An interaction with which it could not be done. */
export interface Failure {
  id: string;
  /** The words for the interaction. */
  name: string;
  error: Error;
}

/** What has been done so far. */
export interface Progress {
  done: string[];
  failures: Failure[];
}

const callsMax = 4;

/**
 * Calls the API for each that is not handled yet, some at a time. Rejects if the session ends, when no call is left
 * that could still change something.
 */
export async function runAll(
  client: WorkspaceClient,
  action: BulkAction,
  interactions: ReadonlyMap<string, string>,
  { done, failures }: Progress,
  onProgress: (handled: number) => void,
  isStopped: () => boolean,
): Promise<void> {
  const handled = new Set([...done, ...failures.map(({ id }) => id)]);
  const waiting = [...interactions].filter(([id]) => !handled.has(id)).values();
  let hasEnded = false;
  const work = async (): Promise<void> => {
    for (const [id, name] of waiting) {
      if (isStopped() || hasEnded) return;
      const error = await runOne(client, action, id).catch((ended: unknown) => {
        hasEnded = true;
        throw ended;
      });
      if (error) failures.push({ id, name, error });
      else done.push(id);
      onProgress(done.length + failures.length);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: callsMax }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function runOne(client: WorkspaceClient, action: BulkAction, id: string): Promise<Error | undefined> {
  try {
    if (action === 'end') await client.interactions.update(id, { status: 'Expired' });
    else await client.interactions.delete(id);
    return undefined;
  } catch (error) {
    if (error instanceof ParleyError && error.status === 401) throw error;
    // Somebody else has deleted it, or an answer was lost.
    if (action === 'delete' && error instanceof ParleyError && error.status === 404) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}
