import { AppError, type Fault } from '@parley/runtime/errors';
import { Failure, type FaultInFile } from './failure.ts';
import type { Place } from './place.ts';
import type { Shell } from './shell.ts';

/** Writes the result of a command to standard output: with `json` exactly one JSON value, else text for people. */
export function print(shell: Shell, json: boolean | undefined, value: unknown, text: string): void {
  shell.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

/** Writes an error to standard error, in one line and more for each fault; with `json` as one JSON object. */
export function printFailure(shell: Shell, json: boolean, failure: Failure): void {
  shell.stderr.write(`${json ? JSON.stringify({ error: failureJson(failure) }) : failureText(failure)}\n`);
}

/** Writes warnings about a file to standard error, for people. */
export function printWarnings(shell: Shell, warnings: readonly FaultInFile[]): void {
  for (const warning of warnings) shell.stderr.write(`warning: ${faultText(warning)}\n`);
}

function failureJson({ type, message, faults }: Failure): unknown {
  return { type, message: onOneLine(message), faults: faults?.map(faultJson) };
}

function failureText({ message, faults = [] }: Failure): string {
  return [`parley: ${onOneLine(message)}`, ...faults.map(faultText)].join('\n');
}

/** A fault as programs read it: a fault in a file has `file`, `line` and `column`. */
export function faultJson({ place, ...fault }: Fault & Partial<FaultInFile>): unknown {
  if (!place) return fault;
  const { file, line, column } = place;
  return { ...fault, file, line, column };
}

/** A fault for people. Editors recognise its place; the line of the file follows. */
function faultText({ pointer, detail, place, file }: Fault & { place?: Place; file?: string }): string {
  if (file !== undefined) return detail;
  if (!place) return `  ${pointer === '' ? '(document)' : pointer}: ${detail}`;
  const text = pointer === '' ? detail : `${pointer}: ${detail}`;
  return `${place.file}:${place.line}:${place.column}: ${text}\n  ${place.frame.replace('\n', '\n  ')}`;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Converts any error to a `Failure`. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof AppError) {
    return new Failure(error.message, { type: error.type, faults: error.faults, cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(message, { type: 'internal', cause: error });
}

/** Formats names and values in two columns. */
export function pairs(entries: Record<string, string>): string {
  return columns(Object.entries(entries));
}

/** Formats a heading and rows, or returns `none` without rows. */
export function table(heading: string[], rows: string[][], none: string): string {
  return rows.length === 0 ? none : columns([heading, ...rows]);
}

/** Formats rows in columns. */
export function columns(rows: string[][]): string {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(width(column))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
