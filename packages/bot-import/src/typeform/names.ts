import type { BotDefinition } from '@parley/bot/format';
import type { Operand } from '../parts/expressions.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { reference } from '../parts/texts.ts';
import type { Variable } from '../parts/variables.ts';
import type { Report } from '../report/report.ts';

/** A question of the form, by its `ref`. */
export type Question = {
  id: string;
  operand: Operand;
  /** The values of choices, by `ref`, by `id` and by label. */
  values: Map<string, string>;
};

export type Form = {
  report: Report;
  locale: string;
  context: NonNullable<BotDefinition['context']>;
  variables: Variable[];
  questions: Map<string, Question>;
  /** The places to which logic can lead: `field:<ref>` and `screen:<ref>`. */
  labels: Set<string>;
  /** The group of each field that is in one. */
  groups: Map<string, { ref: string; isFirst: boolean }>;
  /** The logic of each field. */
  logic: Map<string, Source>;
  /** Returns the context property of a hidden field. */
  contextOf(hidden: string): string | undefined;
  variableOf(name: string): Variable | undefined;
  /** Returns the reference for `field:<ref>`, `hidden:<name>` or `var:<name>`. Reports one that leads nowhere. */
  referenceTo(inside: string, source: Source): string;
};

/** Reads what texts and logic can name. Questions are added as they are converted. */
export function readForm(root: Source, { report, names }: Setting): Form {
  const context: Form['context'] = [];
  const hidden = new Map<string, string>();
  for (const source of root.at('hidden').items()) {
    const name = source.text();
    if (name === undefined) continue;
    const property = names.context(name, 'hidden');
    hidden.set(name, property);
    context.push({ name: property });
    if (property === name) report.converted(source, 'context', { name: property });
    else report.changed(source, 'context-renamed', { name: property });
  }
  const variables = new Map<string, Variable>();
  for (const [name, source] of root.at('variables').members()) {
    const start = source.number() ?? source.text();
    if (start === undefined) continue;
    const key = names.evaluation(name, 'value');
    variables.set(name, { key, type: typeof start === 'number' ? 'number' : 'text', start });
    report.converted(source, 'variable', { name: key });
  }
  for (const name of ['score', 'price']) {
    // Not in what the API returns, but in the logic.
    if (variables.has(name) || !JSON.stringify(root.value).includes(`"variable","value":"${name}"`)) continue;
    variables.set(name, { key: names.evaluation(name, 'value'), type: 'number', start: 0 });
  }
  const logic = new Map<string, Source>();
  for (const one of root.at('logic').items()) {
    const ref = one.at('ref').text();
    if (one.at('type').text() === 'field' && ref !== undefined) logic.set(ref, one);
  }
  const questions: Form['questions'] = new Map();
  const language = root.at('settings', 'language').text() ?? root.at('language').text() ?? 'en';
  const form: Form = {
    report,
    locale: language === 'ch' || language === 'di' ? 'en' : language,
    context,
    variables: [...variables.values()],
    questions,
    labels: labelsOf(root),
    groups: groupsOf(root),
    logic,
    contextOf: (name) => hidden.get(name),
    variableOf: (name) => variables.get(name),
    referenceTo(inside, source) {
      const [kind, name = ''] = inside.split(/:(.*)/s);
      const question = kind === 'field' ? questions.get(name) : undefined;
      if (question !== undefined) return reference(`answers.${question.id}`);
      const property = kind === 'hidden' ? hidden.get(name) : undefined;
      if (property !== undefined) return reference(`context.${property}`);
      const variable = kind === 'var' || kind === 'variable' ? variables.get(name) : undefined;
      if (variable !== undefined) return reference(`evaluation.${variable.key}`);
      report.changed(source, 'reference-lost', { name: inside });
      return '';
    },
  };
  return form;
}

function labelsOf(root: Source): Set<string> {
  const labels = new Set<string>();
  const visit = (field: Source): void => {
    const ref = field.at('ref').value;
    if (typeof ref === 'string') labels.add(`field:${ref}`);
    for (const inside of field.at('properties', 'fields').items()) visit(inside);
  };
  for (const field of root.at('fields').items()) visit(field);
  for (const screen of root.at('thankyou_screens').items())
    labels.add(`screen:${String(screen.at('ref').value)}`);
  return labels;
}

function groupsOf(root: Source): Form['groups'] {
  const groups: Form['groups'] = new Map();
  for (const field of root.at('fields').items()) {
    const ref = field.at('ref').value;
    // The rows of a matrix are no fields of their own.
    if (typeof ref !== 'string' || field.at('type').value === 'matrix') continue;
    field
      .at('properties', 'fields')
      .items()
      .forEach((inside, index) => groups.set(String(inside.at('ref').value), { ref, isFirst: index === 0 }));
  }
  return groups;
}
