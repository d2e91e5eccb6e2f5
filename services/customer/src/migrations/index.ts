import type { Migration } from '@parley/postgres/migrate';
import { init } from './0001-init.ts';
import { resuming } from './0002-resuming.ts';
import { askedAgain } from './0003-asked-again.ts';

/** In the order of their names; a name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-resuming': resuming,
  '0003-asked-again': askedAgain,
};
