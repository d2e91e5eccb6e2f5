import type { LocalText } from '@parley/bot/format';
import { choiceRule, makeChoices } from '../parts/choices.ts';
import { addQuestion, addSay, answerOf } from '../parts/questions.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import type { Form } from './names.ts';
import { wordsIn } from './words.ts';

type Head = { id: string; text: LocalText | undefined; ref: string };

/**
 * Adds a matrix: its rows are fields with the same choices. Rows with several answers become a question each, and so do
 * the rows of a matrix that is larger than Parley's.
 */
export function addMatrix(field: Source, { id, text, ref }: Head, form: Form, setting: Setting): void {
  const { report } = setting;
  const rows = field.at('properties', 'fields').items();
  const isMultiple = rows.some((row) => row.at('properties', 'allow_multiple_selection').flag() === true);
  const columns = rows[0]?.at('properties', 'choices').items() ?? [];
  const isRequired =
    field.at('validations', 'required').flag() === true ||
    rows.some((row) => row.at('validations', 'required').flag() === true);
  for (const row of rows) readRow(row, setting);
  const labelled = (source: Source, name: string) => ({
    key: source.at('ref').text() ?? source.pointer,
    label: wordsIn(source.at(name), form),
    source,
  });
  if (isMultiple || rows.length > 20 || columns.length > 10 || columns.length < 2) {
    report.changed(field, 'matrix-split', { rows: String(rows.length) }, id);
    addSay(id, text, field, setting);
    for (const row of rows) addRow(row, isMultiple, isRequired, form, setting);
    return report.converted(field, 'question', { from: 'matrix', to: 'choice' }, id);
  }
  const madeRows = makeChoices(
    rows.map((row) => labelled(row, 'title')),
    report,
  );
  const madeColumns = makeChoices(
    columns.map((column) => labelled(column, 'label')),
    report,
  );
  const input = { type: 'matrix' as const, rows: madeRows.choices, columns: madeColumns.choices };
  addQuestion({ id, text, input, isRequired }, field, setting);
  report.converted(field, 'question', { from: 'matrix', to: 'matrix' }, id);
  form.questions.set(ref, { id, operand: answerOf(id, input), values: new Map() });
  rows.forEach((row, index) => {
    const value = `answers.${id}.${madeRows.choices[index]?.value ?? ''}`;
    const operand = { value, type: 'string' as const, has: `has(${value})` };
    const values = new Map(
      row
        .at('properties', 'choices')
        .items()
        .flatMap((choice, at): [string, string][] => {
          const column = madeColumns.choices[at]?.value;
          return column === undefined
            ? []
            : ['ref', 'id', 'label'].map((name) => [String(choice.at(name).value), column]);
        }),
    );
    form.questions.set(row.at('ref').text() ?? '', {
      id: `${id}.${madeRows.choices[index]?.value}`,
      operand,
      values,
    });
  });
}

/** Reads what each row repeats. */
function readRow(row: Source, { report }: Setting): void {
  const properties = row.at('properties');
  report.ignored([row.at('id')]);
  for (const name of ['ref', 'type']) row.at(name).pass();
  row.at('validations', 'required').pass();
  for (const name of ['randomize', 'allow_other_choice', 'vertical_alignment', 'allow_multiple_selection']) {
    const option = properties.at(name);
    if (option.value === true && name !== 'allow_multiple_selection') report.unsupported([option], 'option');
    else option.pass();
  }
  for (const choice of properties.at('choices').items()) {
    for (const name of ['ref', 'label']) choice.at(name).pass();
    report.ignored([choice.at('id')]);
  }
}

function addRow(row: Source, isMultiple: boolean, isRequired: boolean, form: Form, setting: Setting): void {
  const { report, names } = setting;
  const title = wordsIn(row.at('title'), form);
  const id = names.step(title ?? 'row', 'row');
  const choices = row.at('properties', 'choices').items();
  const made = makeChoices(
    choices.map((source) => ({
      key: String(source.at('ref').value),
      label: wordsIn(source.at('label'), form),
      source,
    })),
    report,
  );
  if (made.choices.length === 0 || made.choices.length > 20)
    return report.dropped(row, 'question-type', { name: 'matrix', text: title ?? '' });
  const input = choiceRule(made.choices, { isMultiple });
  addQuestion({ id, text: title, input, isRequired }, row, setting);
  report.converted(row, 'question', { from: 'matrix', to: input.type }, id);
  form.questions.set(row.at('ref').text() ?? '', {
    id,
    operand: answerOf(id, input),
    values: made.values,
  });
}
