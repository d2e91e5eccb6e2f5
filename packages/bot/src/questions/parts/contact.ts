import { foldTyped } from '../../text/characters.ts';
import { cleanText } from '../../text/clean-text.ts';
import { textValue, uncounted } from './values.ts';

/** E-mail addresses, telephone numbers and web addresses have no options. */
export const noOptions = {};

/** What these types have in common. */
export const contact = {
  ...textValue,
  ...uncounted,
  options: noOptions,
  docs: { options: '', value: 'string, normalised' },
  valueForm: 'strings',
  effort: 'line' as const,
  reportFaults: (): void => {},
  describeRule: () => ({}),
  modelSchema: () => ({ type: ['string', 'null'] }),
};

/** Returns a typed value in plain characters on one line; empty if it is no text. */
export function typedLine(value: unknown): string {
  return typeof value === 'string' ? foldTyped(cleanText(value, false)) : '';
}
