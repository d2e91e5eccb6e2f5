import { keysCommand } from '@parley/postgres/keys-command';
import { sealedColumns } from './workspaces/sdk-secret-store.ts';

process.exitCode = await keysCommand('identity', sealedColumns);
