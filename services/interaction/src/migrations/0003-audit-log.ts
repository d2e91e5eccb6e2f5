import { createAuditLog } from '@parley/audit/table';
import type { Migration } from '@parley/postgres/schema/migrate';

export const auditLog: Migration = {
  up: (db) => createAuditLog(db, { hasPartitionFunctions: true }),
};
