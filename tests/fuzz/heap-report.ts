import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Preloaded into an observed service: on SIGUSR2 it collects its garbage and logs its memory.

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('SIGUSR2', () => {
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ level: 30, msg: 'heap', heapUsed, external, rss })}\n`);
});
