import { keysCommand } from '@parley/postgres/keys-command';
import { sealedColumns } from './webhooks/store.ts';

process.exitCode = await keysCommand('webhook', sealedColumns);
