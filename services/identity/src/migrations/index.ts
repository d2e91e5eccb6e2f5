import type { Migration } from '@parley/postgres/schema/migrate';
import { init } from './0001-init.ts';
import { keyLimits } from './0002-key-limits.ts';
import { people } from './0003-people.ts';
import { auditLog } from './0004-audit-log.ts';
import { operators } from './0005-operators.ts';
import { portal } from './0006-portal.ts';
import { portalLinkMakers } from './0007-portal-link-makers.ts';
import { makersAndClaims } from './0008-makers-and-claims.ts';

/** In the order of their names. A name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-key-limits': keyLimits,
  '0003-people': people,
  '0004-audit-log': auditLog,
  '0005-operators': operators,
  '0006-portal': portal,
  '0007-portal-link-makers': portalLinkMakers,
  '0008-makers-and-claims': makersAndClaims,
};
