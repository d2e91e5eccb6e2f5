import type { InputRule } from '@parley/bot/format';
import { type Choice, choiceRule, choicesMax, makeChoices, type WantedChoice } from '../parts/choices.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { firstOf } from '../parts/texts.ts';
import type { Form } from './names.ts';
import { wordsIn } from './words.ts';

type Values = Map<string, string>;

/** Returns the rule of a field with choices. Adds to `values` the value of each, by its `ref`, its `id` and its label. */
export function withChoices(
  type: string,
  field: Source,
  values: Values,
  form: Form,
  setting: Setting,
  id: string,
): InputRule {
  const { report } = setting;
  const properties = field.at('properties');
  const validations = field.at('validations');
  const sources = choicesIn(field, setting);
  const wanted = sources.map((source): WantedChoice => {
    report.ignored([source.at('id')]);
    report.unsupported([source.at('attachment')], 'media', id);
    return { key: refOf(source), label: wordsIn(source.at('label'), form), source };
  });
  report.unsupported(
    [properties.at('supersized'), properties.at('show_labels'), properties.at('vertical_alignment')],
    'look',
    id,
  );
  const isRandom = properties.at('randomize').flag() === true;
  const hasOther = properties.at('allow_other_choice').flag() === true;
  const isMultiple = properties.at('allow_multiple_selection').flag() === true || type === 'checkbox';
  const made = makeChoices(wanted, report);
  const nameValues = (valueOf: (choice: Choice) => string): void =>
    sources.forEach((source, index) => {
      const choice = made.choices[index];
      for (const name of ['label', 'id', 'ref']) {
        const key = source.at(name).value;
        if (typeof key === 'string' && choice !== undefined) values.set(key, valueOf(choice));
      }
    });
  nameValues(({ value }) => value);
  if (type === 'ranking' && made.choices.length >= 2 && made.choices.length <= 25) {
    return { type: 'ranking', choices: made.choices, ...(isRandom && { order: 'random' as const }) };
  }
  if (made.choices.length === 0 || made.choices.length > choicesMax) {
    report.changed(
      field,
      'choices-many',
      { count: String(made.choices.length), max: String(choicesMax) },
      id,
    );
    // Customers write the label, so logic compares with it.
    nameValues(({ label }) => firstOf(label));
    return { type: 'text' };
  }
  values.set('other', 'other');
  return choiceRule(made.choices, {
    isMultiple,
    isRandom,
    other: hasOther ? otherLabel(form.locale) : undefined,
    min: validations.at('min_selection').number(),
    max: validations.at('max_selection').number(),
  });
}

/** In the order in which customers see them. */
function choicesIn(field: Source, { report }: Setting): Source[] {
  const properties = field.at('properties');
  const sources = properties.at('choices').items();
  const sorted = properties.at('alphabetical_order');
  if (sorted.flag() !== true) return sources;
  report.changed(sorted, 'sorted');
  const labelOf = (source: Source): string => String(source.at('label').value);
  return sources.toSorted((left, right) => labelOf(left).localeCompare(labelOf(right)));
}

function refOf(choice: Source): string {
  return choice.at('ref').text() ?? choice.at('id').text() ?? choice.pointer;
}

const otherLabels: Record<string, string> = {
  de: 'Sonstiges',
  fr: 'Autre',
  es: 'Otro',
  it: 'Altro',
  nl: 'Anders',
  pt: 'Outro',
};

/** The export has no words for own words. */
function otherLabel(locale: string): string {
  return otherLabels[locale.slice(0, 2)] ?? 'Other';
}
