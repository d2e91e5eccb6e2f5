import { createAuditLog } from '@parley/audit/table';
import type { Migration } from '@parley/postgres/migrate';

export const auditLog: Migration = {
  up: (db) => createAuditLog(db, { hasPartitionFunctions: true }),
};
