import { createHashedFences } from '@parley/postgres/fence';
import type { Migration } from '@parley/postgres/schema/migrate';

export const hashedFences: Migration = { up: createHashedFences };
