import type { BotDefinition, LocalText } from '../definition/format.ts';
import { refusalTexts } from '../questions/refusal.ts';
import { closing } from '../engine/run-steps.ts';
import type { Slices } from '../bounds/slices.ts';
import { fixedParts, translations } from '../text/template.ts';

/** What a bot may say, as the texts between what is filled in. */
type Template = readonly string[];

interface Templates {
  /** Texts without anything to fill in. */
  plain: ReadonlySet<string>;
  /** Templates with the most words of their own first. */
  filled: readonly Template[];
}

const known = new WeakMap<BotDefinition, Templates>();

/**
 * Returns the entries of a transcript with nothing but what the author of the bot has written: `mark` is in place of
 * what was filled in, and of what customers and models have said. A slice takes one entry.
 */
export function* ownWords(
  definition: BotDefinition,
  entries: readonly { body: string; type: string }[],
  mark: string,
): Slices<string[]> {
  const templates = known.get(definition) ?? templatesOf(definition);
  known.set(definition, templates);
  const shown: string[] = [];
  for (const { body, type } of entries) {
    shown.push(type === 'bot' ? ownWordsIn(body, templates, mark) : mark);
    yield;
  }
  return shown;
}

function ownWordsIn(body: string, { plain, filled }: Templates, mark: string): string {
  if (plain.has(body)) return body;
  return filled.find((template) => fits(body, template))?.join(mark) ?? mark;
}

/** Whether a text can be what the template is filled in to: it has the fixed parts, in their order. */
function fits(body: string, template: Template): boolean {
  const [first = '', ...rest] = template;
  const last = rest.at(-1) ?? '';
  if (body.length < first.length + last.length || !body.startsWith(first) || !body.endsWith(last))
    return false;
  const end = body.length - last.length;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = body.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

function templatesOf({ steps }: BotDefinition): Templates {
  const said = steps.flatMap((step): LocalText[] => {
    const text = 'text' in step && step.text !== undefined ? [step.text] : [];
    return step.kind === 'ask' && step.retry ? [...text, step.retry.text] : text;
  });
  const limits = Object.values(refusalTexts).flatMap((text) => translations(text));
  const all = [
    ...[...said, closing].flatMap(translations).map(fixedParts),
    ...limits.map((text) => text.split(/\{(?:min|max)\}/)),
    ['…'],
  ];
  const ownLength = (template: Template): number => template.join('').length;
  return {
    plain: new Set(all.flatMap((template) => (template.length === 1 ? template : []))),
    filled: all
      .filter(({ length }) => length > 1)
      .toSorted((one, other) => ownLength(other) - ownLength(one)),
  };
}
