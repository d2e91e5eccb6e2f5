import type { Fault } from '@parley/runtime/errors';
import type { Place } from './place.ts';

export type FaultInFile = Fault & { place: Place };

/** A fault of a file that could not be read. */
type FaultOfFile = Fault & { file: string };

interface FailureOptions {
  /** Stable kebab-case slug of the cause. */
  type: string;
  faults?: (Fault | FaultInFile | FaultOfFile)[] | undefined;
  /** 1: the command failed. 2: wrong usage. */
  exitCode?: 1 | 2;
  cause?: unknown;
}

/** The reason why a command failed, in one line, with every fault of its input. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly type: string;
  readonly faults: FailureOptions['faults'];
  readonly exitCode: 1 | 2;

  constructor(message: string, { type, faults, exitCode = 1, cause }: FailureOptions) {
    super(message, { cause });
    this.type = type;
    this.faults = faults;
    this.exitCode = exitCode;
  }
}

/** A wrong use of the command line: exit code 2. */
export function usageFailure(message: string): Failure {
  return new Failure(message, { type: 'usage', exitCode: 2 });
}

/** Ends a command that has printed everything, with an exit code. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
