import type { InteractionStatus, NewInteraction, Priority } from '@parley/client';
import {
  type DetailForm,
  detailForm,
  type DetailName,
  detailOf,
  perDetail,
} from '@parley/contracts/customer-details';
import { customerIdFault } from '@parley/contracts/customer-id';
import { expirySeconds } from '@parley/contracts/expiry';
import { customerIdCharactersMax, interactionLimits, isLonger } from '@parley/contracts/limits';
import { type FaultKind, faultOf, type ValueFault } from './faults.ts';

const { contextValueBytesMax, contextBytesMax, expirySecondsMax } = interactionLimits;

export const statuses = [
  'Draft',
  'Pending',
  'InProgress',
  'Completed',
  'Expired',
] as const satisfies InteractionStatus[];

export const priorities = ['Low', 'Medium', 'High'] as const satisfies Priority[];

/** Returns what is wrong with a text, if it is not valid. */
export type Rule = (text: string) => ValueFault | undefined;

const textOf =
  (charactersMax: number): Rule =>
  (text) => {
    if (isLonger(text, charactersMax)) return faultOf('tooLong', charactersMax);
    return isStorable(text) ? undefined : faultOf('malformed');
  };

const badForms: Record<DetailForm, FaultKind> = { email: 'badEmail' };

export const detailRules: Record<DetailName, Rule> = perDetail((name) => {
  const { charactersMax, form } = detailOf(name);
  const rule = textOf(charactersMax);
  return (text) => {
    const fault = rule(text);
    if (fault || form === undefined || text === '') return fault;
    return detailForm(name)?.pattern.test(text) ? undefined : faultOf(badForms[form]);
  };
});

export const customerIdRule: Rule = (text) => {
  const detail = customerIdFault(text);
  return detail === undefined ? undefined : faultOf('badId', detail);
};

export const botIdRule: Rule = textOf(customerIdCharactersMax);

export const botKeyRule: Rule = (text) =>
  /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text) ? undefined : faultOf('badKey');

/** The rule of `expiry`, as people write it. */
export const expiryRule: Rule = (text) => {
  const seconds = expirySeconds(text);
  if (seconds === undefined) return faultOf('badExpiry');
  return seconds <= expirySecondsMax ? undefined : faultOf('longExpiry');
};

/** The rule of `availableFrom`. The API also takes one without a zone, which a spreadsheet would mean otherwise. */
export const instantRule: Rule = (text) => {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return isInstant && !Number.isNaN(Date.parse(text)) ? undefined : faultOf('badInstant');
};

export function oneOf(known: readonly string[]): Rule {
  return (text) => (known.includes(text) ? undefined : faultOf('notOneOf', known.join(', ')));
}

export const contextValueRule: Rule = (text) => {
  if (bytesOf(text) > contextValueBytesMax) return faultOf('valueTooLong', contextValueBytesMax / 1024);
  return isStorable(text) ? undefined : faultOf('malformed');
};

export function contextFault(context: NonNullable<NewInteraction['context']>): ValueFault | undefined {
  const bytes = context.reduce((sum, { value }) => sum + bytesOf(value), 0);
  return bytes > contextBytesMax ? faultOf('contextTooLong', contextBytesMax / 1024) : undefined;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

const encoder = new TextEncoder();

/** Returns the bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
