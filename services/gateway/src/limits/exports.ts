import { AppError } from '@parley/runtime/errors';
import { openExports } from './metrics.ts';

/** How many exports of a workspace a gateway sends at once. Each holds a page for a slow client. */
export const exportsAtOnceMax = 4;

export interface Exports {
  /** Begins an export of the workspace, which ends with its disposal. 429 if it has too many. */
  open(workspaceId: string): Disposable;
}

export function createExports(): Exports {
  const open = new Map<string, number>();
  let total = 0;
  openExports.observe((report) => report(total));
  const add = (workspaceId: string, change: 1 | -1): void => {
    const sum = (open.get(workspaceId) ?? 0) + change;
    if (sum === 0) open.delete(workspaceId);
    else open.set(workspaceId, sum);
    total += change;
  };
  return {
    open: (workspaceId) => {
      if ((open.get(workspaceId) ?? 0) >= exportsAtOnceMax) {
        const detail = `The workspace has ${exportsAtOnceMax} exports in progress: wait for the end of one`;
        throw new AppError('resource_exhausted', 'rate-limited', detail, { retryAfterSeconds: 10 });
      }
      add(workspaceId, 1);
      let isOpen = true;
      return {
        [Symbol.dispose]: () => {
          if (isOpen) add(workspaceId, -1);
          isOpen = false;
        },
      };
    },
  };
}
