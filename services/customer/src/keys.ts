import { keysCommand } from '@parley/postgres/keys-command';
import { sealedColumns } from './erasure/erasure-key-store.ts';

process.exitCode = await keysCommand('customer', sealedColumns);
