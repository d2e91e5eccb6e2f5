import type { Fault } from '@parley/runtime/errors';
import type { Place } from './place.ts';

/** A fault of what is in a file. */
export type FaultInFile = Fault & { place: Place };

/** Of a whole file, which could not be read. */
type FaultOfFile = Fault & { file: string };

interface FailureOptions {
  /** Stable kebab-case slug of the cause. */
  type: string;
  faults?: (Fault | FaultInFile | FaultOfFile)[] | undefined;
  /** 1: it was tried and did not work; 2: the command line makes no sense. */
  exitCode?: 1 | 2;
  cause?: unknown;
}

/** Why a command did not do what was asked, in one line, with every fault of what it was given. */
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

/** The command line makes no sense: exit code 2. */
export function usageFailure(message: string): Failure {
  return new Failure(message, { type: 'usage', exitCode: 2 });
}

/** How many faults, in words. */
export function faultCount(count: number): string {
  return count === 1 ? '1 fault' : `${count} faults`;
}
