import { isBlank } from '../../text/characters.ts';
import type { LocalText } from '../../text/format-text.ts';
import { reportLanguage } from '../../text/language-faults.ts';
import { localText } from '../../text/template.ts';
import type { Report } from '../question-type.ts';
import { foldWording } from './read-choice.ts';
import { messages } from '../../text/messages.ts';

type Repeated = { inside: string; where: string };

/** The most languages in which labels are compared. */
const tagsMax = 40;

/**
 * Returns, by index, the labels that equal an earlier one in some language: the language, and the label's
 * position in it.
 */
export function repeatedLabels(labels: LocalText[], locale: string | undefined): Map<number, Repeated> {
  const found = new Map<number, Repeated>();
  const tags = labels.flatMap((label) => (typeof label === 'string' ? [] : Object.keys(label)));
  const isEverywhere = tags.length === 0;
  if (locale !== undefined || isEverywhere) tags.unshift(locale ?? '');
  const folded = new Map<string, string>();
  const fold = (wording: string): string => {
    const known = folded.get(wording) ?? foldWording(wording);
    folded.set(wording, known);
    return known;
  };
  for (const tag of [...new Set(tags)].slice(0, tagsMax)) {
    const seen = new Set<string>();
    labels.forEach((label, index) => {
      const shown = fold(localText(label, tag, locale ?? ''));
      if (seen.has(shown) && shown !== '' && !found.has(index)) {
        const isOwn = typeof label !== 'string' && Object.hasOwn(label, tag);
        found.set(index, { inside: isOwn ? `/${tag}` : '', where: isEverywhere ? '' : ` in "${tag}"` });
      }
      seen.add(shown);
    });
  }
  return found;
}

/** Reports a label that is blank, has references, or lacks the language of the definition. */
export function reportLabel(label: LocalText, locale: string | undefined, report: Report): void {
  reportLanguage(label, locale, (detail) => report('', detail));
  const wordings = typeof label === 'string' ? [['', label]] : Object.entries(label);
  for (const [tag, wording = ''] of wordings) {
    if (isBlank(wording)) report(tag === '' ? '' : `/${tag}`, messages.blank);
  }
  if (wordings.some(([, wording]) => wording?.includes('{{'))) report('', messages.labelReference);
}

/** Reports the faults of labels by their names. */
export function reportLabels(
  labels: Record<string, LocalText> | undefined,
  locale: string | undefined,
  report: Report,
): void {
  for (const [name, label] of Object.entries(labels ?? {})) {
    reportLabel(label, locale, (inside, detail) => report(`/labels/${name}${inside}`, detail));
  }
}
