import type { Fault } from '@parley/runtime/errors';
import type { FaultInFile } from '../failure.ts';

/** One line of a file, or a row of a CSV file that takes several lines. */
export interface Line {
  /** Where it begins, from 1. */
  number: number;
  /** The body of `POST /interactions`. */
  value: unknown;
  /** Adds the place in the file to a fault of the value. */
  place(fault: Fault): FaultInFile;
}

/** The content of a file: its lines, or all faults that make it unreadable. */
export type Lines = { lines: Line[] } | { faults: FaultInFile[] };
