import type { Migration } from '@parley/postgres/schema/migrate';
import { init } from './0001-init.ts';
import { imports } from './0002-imports.ts';
import { auditLog } from './0003-audit-log.ts';
import { lastStep } from './0004-last-step.ts';
import { hashedFences } from './0005-hashed-fences.ts';
import { updatedIndex } from './0006-updated-index.ts';
import { botDrafts } from './0007-bot-drafts.ts';
import { testInteractions } from './0008-test-interactions.ts';
import { availability } from './0009-availability.ts';
import { openLinks } from './0010-open-links.ts';
import { contactPolicy } from './0011-contact-policy.ts';
import { presences } from './0012-presences.ts';
import { dueIndex } from './0013-due-index.ts';

/** In the order of their names. A name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-imports': imports,
  '0003-audit-log': auditLog,
  '0004-last-step': lastStep,
  '0005-hashed-fences': hashedFences,
  '0006-updated-index': updatedIndex,
  '0007-bot-drafts': botDrafts,
  '0008-test-interactions': testInteractions,
  '0009-availability': availability,
  '0010-open-links': openLinks,
  '0011-contact-policy': contactPolicy,
  '0012-presences': presences,
  '0013-due-index': dueIndex,
};
