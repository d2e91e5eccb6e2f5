import type { Writable } from 'node:stream';
import { AppError, type Fault } from '@parley/runtime/errors';
import { Failure, type FaultInFile } from './failure.ts';
import type { Place } from './place.ts';
import type { Shell } from './shell.ts';

/**
 * Characters that a terminal obeys or that change the order of others: control characters with ESC and DEL, line and
 * paragraph separators, and characters of the bidirectional algorithm (Unicode UAX 9).
 */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Returns a text that others have written with all such characters as JSON escapes them, also line feeds. */
function withoutControls(text: string, kept = ''): string {
  return text.replaceAll(controls, (one) => (kept.includes(one) ? one : escapeOf(one)));
}

function escapeOf(character: string): string {
  const known = JSON.stringify(character).slice(1, -1);
  return known === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : known;
}

/** Writes text for people and a line feed. Of the control characters in it, only line feeds and tabs stay. */
export function writeText(stream: Writable, text: string): void {
  stream.write(`${withoutControls(text, '\n\t')}\n`);
}

/**
 * Returns JSON and a line feed; without `indent` one line, as of NDJSON. Its texts have no control characters: JSON
 * escapes some of them, and may escape the others.
 */
export function jsonText(value: unknown, indent?: number): string {
  return `${withoutControls(JSON.stringify(value, null, indent), '\n')}\n`;
}

function writeJson(stream: Writable, value: unknown, indent?: number): void {
  stream.write(jsonText(value, indent));
}

/** Writes the result of a command to standard output: with `json` exactly one JSON value, else text for people. */
export function print(shell: Shell, json: boolean | undefined, value: unknown, text: string): void {
  if (json) writeJson(shell.stdout, value, 2);
  else writeText(shell.stdout, text);
}

/** Writes an error to standard error, in one line and more for each fault; with `json` as one JSON object. */
export function printFailure(shell: Shell, json: boolean, failure: Failure): void {
  if (json) writeJson(shell.stderr, { error: failureJson(failure) });
  else writeText(shell.stderr, failureText(failure));
}

/** Writes warnings about a file to standard error, for people. */
export function printWarnings(shell: Shell, warnings: readonly FaultInFile[]): void {
  for (const warning of warnings) writeText(shell.stderr, `warning: ${faultText(warning)}`);
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
function faultText(fault: Fault & { place?: Place; file?: string }): string {
  const { place, file } = fault;
  const [pointer, detail] = [withoutControls(fault.pointer), withoutControls(fault.detail)];
  if (file !== undefined) return detail;
  if (!place) return `  ${pointer === '' ? '(document)' : pointer}: ${detail}`;
  const text = pointer === '' ? detail : `${pointer}: ${detail}`;
  const frame = place.frame && `\n  ${place.frame.replace('\n', '\n  ')}`;
  return `${place.file}:${place.line}:${place.column}: ${text}${frame}`;
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

/** Returns a time of the API with its zone: `2026-11-21T09:30:00.123000Z`. `-` for null. */
export function utc(at: string | null): string {
  return at === null ? '-' : `${at}Z`;
}

export function pairs(entries: Record<string, string>): string {
  return columns(Object.entries(entries));
}

/** Returns `none` without rows. */
export function table(heading: string[], rows: string[][], none: string): string {
  return rows.length === 0 ? none : columns([heading, ...rows]);
}

/** Formats rows in columns. A row is one line, whatever is in its cells. */
export function columns(cells: string[][]): string {
  const rows = cells.map((row) => row.map((cell) => withoutControls(cell)));
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(width(column))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
