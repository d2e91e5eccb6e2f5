import { extendInbox } from '@parley/events/inbox';
import type { Migration } from '@parley/postgres/schema/migrate';

export const inboxDays: Migration = {
  up: (db) => extendInbox(db, { hasPartitionFunctions: true }),
};
