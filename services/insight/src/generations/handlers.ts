import type { InsightServiceService, Rebuild } from '@parley/contracts/insight/v1/insight';
import type { Handlers } from '@parley/rpc/definition';
import { requireExisting, unavailable } from '@parley/runtime/errors';
import type { Db } from '../schema.ts';
import { beginRebuild, type Generation, listGenerations } from './generation-store.ts';

interface Deps {
  db: Db;
  /** Called after a commit that begins a rebuild. */
  onRebuild: () => void;
}

export function rebuildHandlers({
  db,
  onRebuild,
}: Deps): Pick<Handlers<typeof InsightServiceService>, 'startRebuild' | 'getRebuild'> {
  const newest = async (): Promise<Generation | undefined> => (await listGenerations(db)).at(-1);
  return {
    startRebuild: async () => {
      await beginRebuild(db);
      onRebuild();
      const generation = await newest();
      if (!generation) throw unavailable(undefined, 'The first build of the figures has not begun yet');
      return rebuildOf(generation);
    },
    getRebuild: async () => rebuildOf(requireExisting(await newest())),
  };
}

function rebuildOf({ startedAt, finishedAt, counted, total }: Generation): Rebuild {
  return { startedAt, finishedAt, counted, total };
}
