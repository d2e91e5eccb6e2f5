// Run by the bootstrap when it has installed, so that the first start need not compile what it runs.
import { warmUp } from './warm-up.ts';

await warmUp(process.env, (line) => process.stderr.write(`parley: ${line}\n`));
