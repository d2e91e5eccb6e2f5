import type { Migration } from '@parley/postgres/migrate';
import { createUuidFunctions } from '@parley/postgres/uuid-functions';

/** Adds what PostgreSQL 15 to 17 lack. Services of the first release need 18, which has it. */
export const uuidFunctions: Migration = { up: createUuidFunctions };
