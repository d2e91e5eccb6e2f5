import { createTurns } from '@parley/events/turns';
import type { Migration } from '@parley/postgres/migrate';

export const turns: Migration = { up: createTurns };
