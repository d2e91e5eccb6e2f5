import { run } from '@parley/runtime/run';
import { start } from '../service.ts';
import { additionsOf, readDemoConfig } from './config.ts';

// The gateway of a local run, with demo and traces. No image has this folder.

await run('gateway', readDemoConfig, (config, logger) => start(config, logger, additionsOf(config)));
