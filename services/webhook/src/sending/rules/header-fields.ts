import { headerNameForm, headerValueForm, reservedHeaderForm } from '@parley/contracts/header-field-forms';
import { webhookLimits } from '@parley/contracts/limits';
import type { Fault } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json/json-pointer';
import type { Keyring } from '@parley/runtime/config/keyring';
import { openSecret, sealSecret } from './secrets.ts';

const { headerFieldsMax, headerNameLengthMax, headerValueLengthMax } = webhookLimits;

/** Returns the faults of a webhook's header fields, with pointers to `/headers/<name>`. */
export function headerFaults(fields: Readonly<Record<string, string>>): Fault[] {
  const entries = Object.entries(fields);
  const faults: Fault[] = [];
  if (entries.length > headerFieldsMax) {
    faults.push({ pointer: '/headers', detail: `Must have at most ${headerFieldsMax} fields` });
  }
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const detail = faultOf(name, value, seen);
    if (detail) faults.push({ pointer: pointerTo(['headers', name]), detail });
    seen.add(name.toLowerCase());
  }
  return faults;
}

function faultOf(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  if (!headerNameForm.test(name)) return `The name must be a token of 1 to ${headerNameLengthMax} characters`;
  if (reservedHeaderForm.test(name)) return 'Is reserved: Parley sets it';
  if (seen.has(name.toLowerCase())) return 'Must not be given twice: upper and lower case are the same';
  if (headerValueForm.test(value)) return undefined;
  return `Must be at most ${headerValueLengthMax} visible ASCII characters and spaces`;
}

/** Names are in lower case. Returns null if there are no fields. */
export function sealHeaders(
  keys: Keyring,
  webhookId: string,
  fields: Readonly<Record<string, string>>,
): string | null {
  if (Object.keys(fields).length === 0) return null;
  return sealSecret(keys, 'headers', webhookId, JSON.stringify(inLowerCase(fields)));
}

export function inLowerCase(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
}

/** As `openHeaders`, but returns undefined for a text that cannot be decrypted, which an operator has to replace. */
export function openHeadersIfPossible(
  keys: Keyring,
  webhookId: string,
  sealed: string | null,
): Readonly<Record<string, string>> | undefined {
  try {
    return openHeaders(keys, webhookId, sealed);
  } catch {
    return undefined;
  }
}

/** Decrypts a result of `sealHeaders`. Throws as `openSecret` does. */
export function openHeaders(
  keys: Keyring,
  webhookId: string,
  sealed: string | null,
): Readonly<Record<string, string>> {
  return sealed === null ? {} : JSON.parse(openSecret(keys, 'headers', webhookId, sealed));
}
