import type { Migration } from '@parley/postgres/schema/migrate';
import { init } from './0001-init.ts';
import { auditLog } from './0002-audit-log.ts';
import { inboxDays } from './0003-inbox-days.ts';
import { changes } from './0004-changes.ts';
import { countedKinds } from './0005-counted-kinds.ts';
import { eventsBehind } from './0006-events-behind.ts';

/** In the order of their names. A name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-audit-log': auditLog,
  '0003-inbox-days': inboxDays,
  '0004-changes': changes,
  '0005-counted-kinds': countedKinds,
  '0006-events-behind': eventsBehind,
};
