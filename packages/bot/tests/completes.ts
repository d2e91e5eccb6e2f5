import { createContext, runInContext } from 'node:vm';

/** Linear work needs a thousandth of it, even on a busy machine. */
const deadlineMs = 120_000;

/**
 * Returns the result of the work. Give it so much that it takes hours unless it is linear: it fails at a deadline then,
 * instead of holding up the test run. So no times are compared.
 */
export function completes<Result>(work: () => Result): Result {
  return runInContext('work()', createContext({ work }), { timeout: deadlineMs }) as Result;
}
