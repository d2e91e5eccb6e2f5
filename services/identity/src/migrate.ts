import { migrateCommand } from '@parley/postgres/schema/migrate-command';
import { migrations } from './migrations/index.ts';

process.exitCode = await migrateCommand('identity', migrations);
