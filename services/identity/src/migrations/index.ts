import type { Migration } from '@parley/postgres/migrate';
import { init } from './0001-init.ts';
import { credentialLease } from './0002-credential-lease.ts';
import { branding } from './0003-branding.ts';

/** In the order of their names; a name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-credential-lease': credentialLease,
  '0003-branding': branding,
};
