import type { TranslationRow } from '@parley/bot/translations/table';
import type { Texts } from '../../../../texts/texts.tsx';
import { shortened, withoutPlaceholders } from '../../../../ui/words.ts';
import { fieldWords, stepLabel } from '../steps/fields/outline.ts';

/** Returns the name of a text: the words of its step and of its place there. `own`: the language of the bot. */
export function rowWords(
  { steps, translations }: Pick<Texts, 'steps' | 'translations'>,
  step: Record<string, unknown>,
  { path, place, source }: Pick<TranslationRow, 'path' | 'place' | 'source'>,
  own: string,
): string {
  const [, index, member = '', name = '', entry] = path;
  const ofStep = stepLabel(steps, step, Number(index), own);
  return `${ofStep} · ${ofPlace()}`;

  function ofPlace(): string {
    if (member !== 'input') return fieldWords(steps, String(member));
    if (typeof entry !== 'number') return fieldWords(steps, String(name === 'labels' ? entry : name));
    const words = shortened(withoutPlaceholders(source.trim()));
    // The value is behind `input` and the name of the list.
    const value = place.split('.').slice(2).join('.');
    const list = translations.entries[String(name)] ?? fieldWords(steps, String(name));
    return steps.at(list, words === '' ? value : words);
  }
}
