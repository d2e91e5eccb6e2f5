import type { Migration } from '@parley/postgres/migrate';
import { init } from './0001-init.ts';
import { anonymisationFence } from './0002-anonymisation-fence.ts';
import { model } from './0003-model.ts';
import { fenceWithoutWaiting } from './0004-fence-without-waiting.ts';
import { modelTrace } from './0005-model-trace.ts';
import { size } from './0006-size.ts';

/** In the order of their names; a name that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-init': init,
  '0002-anonymisation-fence': anonymisationFence,
  '0003-model': model,
  '0004-fence-without-waiting': fenceWithoutWaiting,
  '0005-model-trace': modelTrace,
  '0006-size': size,
};
