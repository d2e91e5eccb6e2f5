import type { Migration } from '@parley/postgres/schema/migrate';
import { init } from './0001-init.ts';
import { auditLog } from './0002-audit-log.ts';
import { turns } from './0003-turns.ts';
import { hashedFences } from './0004-hashed-fences.ts';

/** In the order of their names. A name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-audit-log': auditLog,
  '0003-turns': turns,
  '0004-hashed-fences': hashedFences,
};
