import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { AppError, type Fault } from '@parley/runtime/errors';
import { Failure, type FaultInFile } from './failure.ts';
import type { Place } from './place.ts';

/** Writes what a command answers to standard output: with `json` exactly one JSON value, else text for people. */
export function print(json: boolean | undefined, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

/** Writes an error to standard error, one line and some for each fault; with `json` as one JSON object. */
export function printFailure(json: boolean, failure: Failure): void {
  process.stderr.write(`${json ? JSON.stringify({ error: failureJson(failure) }) : failureText(failure)}\n`);
}

/** Writes warnings about what is in a file to standard error, for people. */
export function printWarnings(warnings: readonly FaultInFile[]): void {
  for (const warning of warnings) process.stderr.write(`warning: ${faultText(warning)}\n`);
}

/** An error as a program reads it. Faults in files have the members `file`, `line` and `column`. */
function failureJson({ type, message, faults }: Failure): unknown {
  return { type, message: onOneLine(message), faults: faults?.map(faultJson) };
}

function failureText({ message, faults = [] }: Failure): string {
  return [`parley: ${onOneLine(message)}`, ...faults.map(faultText)].join('\n');
}

export function faultJson({ place, ...fault }: Fault & Partial<FaultInFile>): unknown {
  if (!place) return fault;
  const { file, line, column } = place;
  return { ...fault, file, line, column };
}

/** Where it is and what is wrong, as editors find it; below the line of the file. */
function faultText({ pointer, detail, place, file }: Fault & { place?: Place; file?: string }): string {
  if (file !== undefined) return detail;
  if (!place) return `  ${pointer === '' ? '(the whole)' : pointer}: ${detail}`;
  const at = styled('bold', `${place.file}:${place.line}:${place.column}`);
  const what = pointer === '' ? detail : `${styled('dim', pointer)}: ${detail}`;
  const [line = '', carets = ''] = place.frame.split('\n');
  return `${at}: ${what}\n  ${line}\n  ${carets.replace(/\^+/, (found) => styled('red', found))}`;
}

/** The text in the style, unless the stream is no terminal or shows no colours. */
export function styled(
  style: 'bold' | 'dim' | 'red',
  text: string,
  stream: unknown = process.stderr,
): string {
  // `styleText` looks at the stream itself only since Node 22.13.
  return stream instanceof WriteStream && stream.hasColors() ? styleText(style, text) : text;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
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
