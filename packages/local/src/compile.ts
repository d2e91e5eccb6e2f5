// Run by the bootstrap when it has installed, so that the first start need not compile what it runs.
import { buildBrowserFiles } from './browser-files.ts';
import { warmUp } from './warm-up.ts';

const say = (line: string): void => void process.stderr.write(`parley: ${line}\n`);

await warmUp(process.env, say);
// The start tries again, and tells why it cannot.
await buildBrowserFiles(say).catch(() => {});
