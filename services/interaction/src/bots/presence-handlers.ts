import type { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { Handlers } from '@parley/rpc/definition';
import { notFound, requireExisting } from '@parley/runtime/errors';
import type { Deps } from '../deps.ts';
import { deletePresence, listPresences, renewPresence } from './presence-store.ts';
import { loadBot } from './store.ts';

export type PresenceMethods = 'renewPresence' | 'endPresence';

export function presenceHandlers({
  db,
}: Pick<Deps, 'db'>): Pick<Handlers<typeof BotServiceService>, PresenceMethods> {
  return {
    renewPresence: async ({ workspaceId, botId, personId, presenceId: id }) => {
      requireExisting(await loadBot(db, workspaceId, botId));
      await renewPresence(db, { workspaceId, botId, personId, id });
      return { presences: await listPresences(db, { workspaceId, botId }) };
    },

    endPresence: async ({ workspaceId, botId, personId, presenceId: id }) => {
      requireExisting(await loadBot(db, workspaceId, botId));
      if (!(await deletePresence(db, { workspaceId, botId, personId, id }))) throw notFound();
      return {};
    },
  };
}
