import type { Migration } from '@parley/postgres/schema/migrate';
import { init } from './0001-init.ts';
import { auditLog } from './0002-audit-log.ts';
import { recoveryList } from './0003-recovery-list.ts';
import { inactiveByPortal } from './0004-inactive-by-portal.ts';
import { inboxDays } from './0005-inbox-days.ts';
import { retryPlan } from './0006-retry-plan.ts';
import { hashedFences } from './0007-hashed-fences.ts';
import { delayedSince } from './0008-delayed-since.ts';
import { testInteractions } from './0009-test-interactions.ts';

/** In the order of their names. A name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-audit-log': auditLog,
  '0003-recovery-list': recoveryList,
  '0004-inactive-by-portal': inactiveByPortal,
  '0005-inbox-days': inboxDays,
  '0006-retry-plan': retryPlan,
  '0007-hashed-fences': hashedFences,
  '0008-delayed-since': delayedSince,
  '0009-test-interactions': testInteractions,
};
