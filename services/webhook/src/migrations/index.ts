import type { Migration } from '@parley/postgres/migrate';
import { init } from './0001-init.ts';
import { redactedVersion } from './0002-redacted-version.ts';
import { lanes } from './0003-lanes.ts';
import { options } from './0004-options.ts';
import { log } from './0005-log.ts';
import { warnings } from './0006-warnings.ts';
import { newLanes } from './0007-new-lanes.ts';
import { partitions } from './0008-partitions.ts';
import { leases } from './0009-leases.ts';
import { putBodies } from './0010-put-bodies.ts';
import { fingerprintKey } from './0011-fingerprint-key.ts';
import { wholeLeases } from './0012-whole-leases.ts';
import { listening } from './0013-listening.ts';
import { lastAttempt } from './0014-last-attempt.ts';
import { pauses } from './0015-pauses.ts';

/** In the order of their names; a name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-redacted-version': redactedVersion,
  '0003-lanes': lanes,
  '0004-options': options,
  '0005-log': log,
  '0006-warnings': warnings,
  '0007-new-lanes': newLanes,
  '0008-partitions': partitions,
  '0009-leases': leases,
  '0010-put-bodies': putBodies,
  '0011-fingerprint-key': fingerprintKey,
  '0012-whole-leases': wholeLeases,
  '0013-listening': listening,
  '0014-last-attempt': lastAttempt,
  '0015-pauses': pauses,
};
