import { run } from '@parley/runtime/run';
import { readConfig } from './config.ts';
import { start } from './service.ts';

await run('insight', readConfig, start);
