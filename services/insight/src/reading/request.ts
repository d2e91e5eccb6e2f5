import type { GetBotInsightRequest } from '@parley/contracts/insight/v1/insight';
import { insightLimits } from '@parley/contracts/limits';
import { type Fault, invalidRequest } from '@parley/runtime/errors';
import type { Window } from './window.ts';

const { windowDaysMax } = insightLimits;
const windowMsMax = windowDaysMax * 86_400_000;

/** INVALID_ARGUMENT for a window that is empty or too long. */
export function windowOf({ from, to }: GetBotInsightRequest): Window {
  if (!from) throw fault('/from', 'Must be present');
  if (!to) throw fault('/to', 'Must be present');
  const ms = to.getTime() - from.getTime();
  if (ms <= 0) throw fault('/to', 'Must be after from');
  if (ms > windowMsMax) throw fault('/to', `Must be at most ${windowDaysMax} days after from`);
  return { from, to };
}

/** Null: all versions. INVALID_ARGUMENT for a version that the bot does not have. */
export function versionOf({ version = null }: GetBotInsightRequest, newest: number): number | null {
  if (version !== null && (version < 1 || version > newest))
    throw fault('/version', 'Must be a version of the bot');
  return version;
}

function fault(pointer: Fault['pointer'], detail: string): Error {
  return invalidRequest([{ pointer, detail }]);
}
