import type { InputRule, LocalText } from '@parley/bot/format';
import { choiceRule, choicesMax, makeChoices } from '../parts/choices.ts';
import { isGiven } from '../parts/names.ts';
import { addQuestion, addSay, answerOf, scaleLabels, scaleRule } from '../parts/questions.ts';
import type { Source } from '../parts/source.ts';
import { cut, firstOf, joinTexts, labelCharsMax, mapText } from '../parts/texts.ts';
import { addAddress } from './address.ts';
import { type Question, type Survey, wordsIn } from './survey.ts';
import { dateRule, textRule } from './validation.ts';

type Known = Pick<Question, 'values' | 'rows' | 'columns'>;

/** Adds what an element of a survey becomes. */
export function addElement(element: Source, survey: Survey): void {
  const { setting, questions } = survey;
  const { report, names } = setting;
  const type = element.at('type').text() ?? '';
  const own = element.at('id').text() ?? '';
  const headline = wordsIn(element.at('headline'), survey);
  const text = joinTexts([headline, wordsIn(element.at('subheader'), survey), htmlOf(element, type, survey)]);
  const id = names.step(isGiven(own) ? own : headline ? firstOf(headline) : type, type || 'question');
  const isRequired = element.at('required').flag() !== false;
  report.unsupported([element.at('imageUrl'), element.at('videoUrl')], 'media', id);
  report.unsupported(
    [element.at('buttonLabel'), element.at('backButtonLabel'), element.at('dismissButtonLabel')],
    'button',
    id,
  );
  report.unsupported([element.at('isColorCodingEnabled')], 'look', id);
  report.ignored([element.at('isDraft'), element.at('insightsEnabled')]);
  if (type === 'cta') {
    const address = element.at('buttonExternal').flag() === true ? element.at('buttonUrl').text() : undefined;
    addSay(id, joinTexts([text, address]), element, setting);
    report.converted(element, 'say', {}, id);
    if (address !== undefined) report.changed(element.at('buttonUrl'), 'address', { address }, id);
    return report.unsupported([element.at('ctaButtonLabel'), element.at('buttonUrl')], 'button', id);
  }
  if (type === 'address' || type === 'contactInfo') return addAddress(element, { own, id, text }, survey);
  const known: Known = {};
  const input = ruleOf(type, element, known, survey, id);
  if (input === undefined) {
    return report.dropped(element, 'question-type', { name: type, text: headline ? firstOf(headline) : '' });
  }
  addQuestion({ id, text, input, isRequired }, element, setting);
  report.converted(element, 'question', { from: type, to: input.type }, id);
  questions.set(own, { operand: answerOf(id, input), reference: `answers.${id}`, ...known });
}

/** A consent had its explanation there. Elsewhere it has no use. */
function htmlOf(element: Source, type: string, survey: Survey): LocalText | undefined {
  return type === 'consent' || type === 'cta' || type === 'date'
    ? wordsIn(element.at('html'), survey)
    : undefined;
}

/** Returns undefined for a type that Parley does not have. */
function ruleOf(
  type: string,
  element: Source,
  known: Known,
  survey: Survey,
  id: string,
): InputRule | undefined {
  const { report } = survey.setting;
  switch (type) {
    case 'openText':
      return textRule(element, survey, id);
    case 'date':
      report.unsupported([element.at('format')], 'option', id);
      return dateRule(element, survey, id);
    case 'consent': {
      const label = wordsIn(element.at('label'), survey) ?? '✓';
      const plain = mapText(label, (wording) => wording.replaceAll(/\{\{[^{}]*\}\}/g, ''));
      return { type: 'consent', label: cut(plain ?? '✓', labelCharsMax, element.at('label'), report) };
    }
    case 'nps':
      return withLabels(element, 0, 10, survey, id);
    case 'rating':
    case 'csat':
    case 'ces':
      report.unsupported([element.at('scale')], 'look', id);
      return withLabels(element, 1, element.at('range').number() ?? 5, survey, id);
    case 'multipleChoiceSingle':
    case 'multipleChoiceMulti':
    case 'ranking':
    case 'pictureSelection':
      return withChoices(type, element, known, survey, id);
    case 'matrix':
      return matrixRule(element, known, survey, id);
    default:
      return undefined;
  }
}

function withLabels(element: Source, min: number, max: number, survey: Survey, id: string): InputRule {
  const { report } = survey.setting;
  const [low, high] = [element.at('lowerLabel'), element.at('upperLabel')];
  const short = (source: Source) => {
    const words = wordsIn(source, survey);
    return words === undefined ? undefined : cut(words, labelCharsMax, source, report);
  };
  const labels = scaleLabels(short(low), short(high));
  if (labels === undefined) report.unsupported([low, high], 'scale-label', id);
  return scaleRule(min, max, labels);
}

function isShuffled(element: Source, survey: Survey, id: string): boolean {
  const option = element.at('shuffleOption');
  const wanted = option.text() ?? 'none';
  if (wanted !== 'none' && wanted !== 'all')
    survey.setting.report.changed(option, 'shuffle', { name: wanted }, id);
  return wanted === 'all' || wanted === 'exceptLast';
}

function withChoices(type: string, element: Source, known: Known, survey: Survey, id: string): InputRule {
  const { report } = survey.setting;
  const isPicture = type === 'pictureSelection';
  const sources = element.at('choices').items();
  const idOf = (source: Source): string => source.at('id').text() ?? source.pointer;
  const other = type === 'ranking' ? undefined : sources.find((source) => idOf(source) === 'other');
  const wanted = sources
    .filter((source) => source !== other)
    .map((source) => ({ key: idOf(source), label: wordsIn(source.at('label'), survey), source }));
  const made = makeChoices(wanted, report);
  const none = made.values.get('none');
  // Logic of older surveys names choices by their words.
  for (const { key, label } of wanted) {
    const words = label === undefined ? key : firstOf(label);
    if (!made.values.has(words)) made.values.set(words, made.values.get(key) ?? '');
  }
  if (isPicture)
    report.unsupported(
      sources.map((source) => source.at('imageUrl')),
      'media',
      id,
    );
  report.unsupported([element.at('otherOptionPlaceholder'), element.at('displayType')], 'option', id);
  known.values = made.values;
  const isRandom = isShuffled(element, survey, id);
  const isMultiple =
    type === 'multipleChoiceMulti' || (isPicture && element.at('allowMulti').flag() === true);
  const limits = selectionLimits(element, survey, id);
  if (type === 'ranking' && made.choices.length >= 2 && made.choices.length <= 25) {
    return { type: 'ranking', choices: made.choices, ...(isRandom && { order: 'random' as const }) };
  }
  if (made.choices.length === 0 || made.choices.length > choicesMax) {
    report.changed(
      element,
      'choices-many',
      { count: String(made.choices.length), max: String(choicesMax) },
      id,
    );
    made.choices.forEach(({ value, label }) => {
      for (const [key, one] of made.values) if (one === value) made.values.set(key, firstOf(label));
    });
    return { type: 'text' };
  }
  const otherWords = other && wordsIn(other.at('label'), survey);
  if (other !== undefined) {
    for (const name of ['other', firstOf(otherWords ?? 'other')]) made.values.set(name, 'other');
  }
  return choiceRule(made.choices, {
    isMultiple,
    isRandom,
    other: other && cut(otherWords ?? 'Other', labelCharsMax, other, report),
    ...limits,
    exclusive: new Set(none === undefined ? [] : [none]),
  });
}

function selectionLimits(element: Source, survey: Survey, id: string): { min?: number; max?: number } {
  const limits: { min?: number; max?: number } = {};
  element.at('validation', 'logic').pass();
  for (const rule of element.at('validation', 'rules').items()) {
    const type = rule.at('type').text();
    survey.setting.report.ignored([rule.at('id')]);
    const min = rule.at('params', 'min').number();
    const max = rule.at('params', 'max').number();
    if (type === 'minSelections' && min !== undefined) limits.min = min;
    else if (type === 'maxSelections' && max !== undefined) limits.max = max;
    else if (type !== 'rankAll') survey.setting.report.dropped(rule, 'option', { name: type ?? '' }, id);
  }
  return limits;
}

function matrixRule(element: Source, known: Known, survey: Survey, id: string): InputRule | undefined {
  const { report } = survey.setting;
  const labelled = (source: Source) => ({
    key: source.at('id').text() ?? source.pointer,
    label: wordsIn(source.at('label').value === undefined ? source : source.at('label'), survey),
    source,
  });
  const rows = makeChoices(element.at('rows').items().map(labelled), report);
  const columns = makeChoices(element.at('columns').items().map(labelled), report);
  const isRandom = isShuffled(element, survey, id);
  let rowsRequired = element.at('required').value === true;
  element.at('validation', 'logic').pass();
  for (const rule of element.at('validation', 'rules').items()) {
    report.ignored([rule.at('id')]);
    if (rule.at('type').text() === 'answerAllRows') rowsRequired = true;
    else report.dropped(rule, 'option', { name: rule.at('type').text() ?? '' }, id);
  }
  if (
    rows.choices.length > 20 ||
    rows.choices.length < 1 ||
    columns.choices.length > 10 ||
    columns.choices.length < 2
  )
    return undefined;
  known.rows = rows.choices.map(({ value }) => value);
  known.columns = columns.values;
  return {
    type: 'matrix',
    rows: rows.choices,
    columns: columns.choices,
    ...(!rowsRequired && { rowsRequired: false }),
    ...(isRandom && { order: 'random' as const }),
  };
}
