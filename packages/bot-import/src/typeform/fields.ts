import type { InputRule, LocalText } from '@parley/bot/format';
import { isGiven } from '../parts/names.ts';
import { addQuestion, addSay, answerOf, scaleLabels, scaleRule } from '../parts/questions.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { cut, joinTexts, labelCharsMax } from '../parts/texts.ts';
import { withChoices } from './choices.ts';
import { addJumps } from './logic.ts';
import { addMatrix } from './matrix.ts';
import type { Form } from './names.ts';
import { wordsIn } from './words.ts';

type Values = Map<string, string>;

/** Adds what a field of a form becomes, and the fields in it, and then its logic. */
export function addField(field: Source, form: Form, setting: Setting): void {
  const { flow, report, names } = setting;
  const ref = field.at('ref').text() ?? field.at('id').text() ?? field.pointer;
  const type = field.at('type').text() ?? '';
  const properties = field.at('properties');
  report.ignored([field.at('id')]);
  flow.mark(`field:${ref}`);
  const own = wordsIn(field.at('title'), form);
  // The words of a consent are its label.
  const text = type === 'legal' ? own : joinTexts([own, wordsIn(properties.at('description'), form)]);
  const id = names.step(isGiven(ref) ? ref : (own ?? type), type || 'question');
  report.unsupported([field.at('attachment'), field.at('layout')], 'media', id);
  const inside = properties.at('fields').items();
  if (type === 'matrix') addMatrix(field, { id, text, ref }, form, setting);
  else if (inside.length > 0) addGroup(field, id, text, form, setting);
  else if (type === 'statement') {
    addSay(id, text, field, setting);
    report.converted(field, 'say', {}, id);
    properties.at('hide_marks').pass();
    report.unsupported([properties.at('button_text')], 'button', id);
  } else {
    const values: Values = new Map();
    const input = ruleOf(type, field, values, form, setting, id);
    if (input === undefined) {
      report.dropped(field, 'question-type', { name: type, text: own ?? '' });
    } else {
      const isRequired = field.at('validations', 'required').flag() === true;
      addQuestion({ id, text, input, isRequired }, field, setting);
      report.converted(field, 'question', { from: type, to: input.type }, id);
      form.questions.set(ref, { id, operand: answerOf(id, input), values });
    }
  }
  const logic = form.logic.get(ref);
  if (logic !== undefined) addJumps([logic], form, setting);
}

/** Adds a group: its words, and its fields. */
function addGroup(
  field: Source,
  id: string,
  text: LocalText | undefined,
  form: Form,
  setting: Setting,
): void {
  const properties = field.at('properties');
  const { report } = setting;
  addSay(id, text, field, setting);
  report.converted(field, 'group', {}, text === undefined ? undefined : id);
  properties.at('show_button').pass();
  report.unsupported([properties.at('button_text')], 'button');
  field.at('validations', 'required').pass();
  for (const inside of properties.at('fields').items()) {
    inside.at('subfield_key').pass();
    addField(inside, form, setting);
  }
}

/** Returns undefined for a type that Parley does not have. */
function ruleOf(
  type: string,
  field: Source,
  values: Values,
  form: Form,
  setting: Setting,
  id: string,
): InputRule | undefined {
  const properties = field.at('properties');
  const validations = field.at('validations');
  const { report } = setting;
  switch (type) {
    case 'short_text':
    case 'long_text': {
      const maxLength = validations.at('max_length').number();
      const rule = type === 'short_text' ? ('text' as const) : ('longText' as const);
      return { type: rule, ...(isLength(maxLength) && { maxLength }) };
    }
    case 'email':
      return { type: 'email' };
    case 'website':
      return { type: 'url' };
    case 'phone_number':
      report.unsupported([properties.at('default_country_code')], 'option', id);
      return { type: 'phone' };
    case 'date':
      report.unsupported([properties.at('structure'), properties.at('separator')], 'option', id);
      return { type: 'date' };
    case 'number': {
      const min = validations.at('min_value').number();
      const max = validations.at('max_value').number();
      return { type: 'number', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    }
    case 'yes_no':
      return { type: 'yesNo' };
    case 'legal':
      return consentRule(field, form, setting);
    case 'nps':
      return withLabels(field, 0, 10, form, setting, id);
    case 'rating':
      report.unsupported([properties.at('shape')], 'look', id);
      return withLabels(field, 1, properties.at('steps').number() ?? 5, form, setting, id);
    case 'opinion_scale': {
      const steps = properties.at('steps').number() ?? 11;
      const min = properties.at('start_at_one').flag() === true ? 1 : 0;
      return withLabels(field, min, min + steps - 1, form, setting, id);
    }
    case 'multiple_choice':
    case 'picture_choice':
    case 'dropdown':
    case 'checkbox':
    case 'ranking':
      return withChoices(type, field, values, form, setting, id);
    default:
      return undefined;
  }
}

function isLength(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= 4000;
}

function withLabels(
  field: Source,
  min: number,
  max: number,
  form: Form,
  setting: Setting,
  id: string,
): InputRule {
  const { report } = setting;
  const properties = field.at('properties');
  properties.at('steps').pass();
  properties.at('start_at_one').pass();
  const at = properties.at('labels');
  const labels = scaleLabels(wordsIn(at.at('left'), form), wordsIn(at.at('right'), form));
  report.unsupported([at.at('center')], 'option', id);
  const rule = scaleRule(min, max, labels);
  if (labels === undefined || rule.type === 'number')
    report.unsupported([at.at('left'), at.at('right')], 'scale-label', id);
  if (rule.type === 'number') report.changed(field, 'scale', { min: String(min), max: String(max) }, id);
  return rule;
}

function consentRule(field: Source, form: Form, { report }: Setting): InputRule {
  const description = field.at('properties', 'description');
  const label = wordsIn(description, form) ?? wordsIn(field.at('title'), form) ?? '✓';
  return {
    type: 'consent',
    label: cut(label.replaceAll(/\{\{[^{}]*\}\}/g, ''), labelCharsMax, description, report),
  };
}
