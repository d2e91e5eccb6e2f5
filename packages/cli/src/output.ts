import { AppError } from '@parley/runtime/errors';
import { Failure } from './failure.ts';

/** Writes what a command answers to standard output: with `json` exactly one JSON value, else text for people. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

/** Writes an error to standard error, one line and one for each fault; with `json` as one JSON object. */
export function printFailure(json: boolean, failure: Failure): void {
  const { type, faults } = failure;
  const message = failure.message.replaceAll(/\s+/g, ' ');
  const lines = [`parley: ${message}`, ...(faults ?? []).map(faultLine)];
  process.stderr.write(`${json ? JSON.stringify({ error: { type, message, faults } }) : lines.join('\n')}\n`);
}

/** Any error as one that can be shown. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof AppError) {
    return new Failure(error.message, { type: error.type, faults: error.faults, cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(message, { type: 'internal', cause: error });
}

/** Names and values, a line each, the values under one another. */
export function pairs(entries: Record<string, string>): string {
  return columns(Object.entries(entries));
}

/** A heading and rows, or a sentence when there are none. */
export function table(heading: string[], rows: string[][], none: string): string {
  return rows.length === 0 ? none : columns([heading, ...rows]);
}

function columns(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function faultLine({ pointer, detail }: { pointer: string; detail: string }): string {
  return `  ${pointer === '' ? '(the whole)' : pointer}: ${detail}`;
}
