import { AppError, deadlineExceeded, unavailable } from '@parley/runtime/errors';
import type pg from 'pg';
import { failedStatements } from '../metrics.ts';

/** Returns the SQLSTATE of a fault (PostgreSQL, appendix A), or undefined if the server did not send it. */
function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns whether the error came from this function of the server: its message may be in any language. */
function isFrom(error: unknown, routine: string): boolean {
  return (error as pg.DatabaseError).routine === routine;
}

/** Returns whether a statement violated the unique constraint or index of that name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return sqlState(error) === '23505' && (error as pg.DatabaseError).constraint === constraint;
}

/** Returns whether an insert failed because its table has no partition for the row. */
export function isMissingPartition(error: unknown): boolean {
  return sqlState(error) === '23514' && isFrom(error, 'ExecFindPartition');
}

/** Returns whether the server rejected a value: class 22, data exception. Another value may succeed. */
export function isDataException(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') ?? false;
}

// Connection exceptions, a server that starts, stops, is full or read-only, sessions that it ended because they were
// idle for too long, and conflicts that can be retried.
const transient = /^(08...|57P0[1-5]|53...|58030|40001|40P01|55P03|25006|25P0[34])$/;
const socketFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
  'ENETDOWN',
]);
const driverFaults =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|not queryable|connection ended/i;

/**
 * Returns whether a prepared statement could not be used: a migration changed its result type, or the
 * statement that should have prepared it failed. The statement had no effect.
 */
export function isStalePlan(error: unknown): boolean {
  const code = sqlState(error);
  if (code === '0A000') return isFrom(error, 'RevalidateCachedQuery');
  return code === '26000' || code === '42P05';
}

// Classes 53 (insufficient resources), 54 (limit exceeded), 57 (intervention) without cancellation, and 58 (system).
const lacksResources = /^(53|54|57P|58)/;

/** Returns whether the server refused a write because it is a standby, or is set to read-only. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

const diskFullCode = '53100';
let diskFullAtMs = Number.NEGATIVE_INFINITY;

/** Returns when the server last had no space for a statement of this process, in `performance.now()` time. */
export function lastDiskFullAtMs(): number {
  return diskFullAtMs;
}

export function isDiskFull(error: unknown): boolean {
  return sqlState(isUnavailable(error) ? (error as AppError).cause : error) === diskFullCode;
}

/** Returns whether the fault is classified as `unavailable`. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/**
 * Converts a connection fault or transient error to `unavailable` (503) and a statement time-out to `deadline_exceeded`
 * (504). Returns any other error unchanged.
 */
export function classifyFault(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = sqlState(error);
  if (code && lacksResources.test(code)) failedStatements.add({ 'db.response.status_code': code });
  if (code === diskFullCode) diskFullAtMs = performance.now();
  if (code === '57014') return deadlineExceeded(error);
  if (code && (transient.test(code) || socketFaults.has(code))) return unavailable(error);
  if (driverFaults.test(error.message) || isStalePlan(error)) return unavailable(error);
  return error;
}
