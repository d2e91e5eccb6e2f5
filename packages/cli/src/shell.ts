import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** What commands use of the process that runs them. It emits signals as events. */
export interface Shell extends EventEmitter {
  env: NodeJS.ProcessEnv;
  cwd(): string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
}
