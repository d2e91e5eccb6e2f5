import type { InputRule } from '@parley/bot/format';
import type { Source } from '../parts/source.ts';
import type { Survey } from './survey.ts';

const answerCharsMax = 4000;

/** Returns the rule of an open question, with the limits that a bot can have. */
export function textRule(element: Source, survey: Survey, id: string): InputRule {
  const { report } = survey.setting;
  const kind = element.at('inputType').text() ?? 'text';
  const isLong = element.at('longAnswer').flag() === true;
  report.unsupported([element.at('placeholder')], 'placeholder', id);
  const limits = lengthsOf(element);
  const numbers: { min?: number; max?: number } = {};
  let type = kind;
  let pattern: string | undefined;
  const logic = element.at('validation', 'logic');
  const isAny = logic.text() === 'or' && element.at('validation', 'rules').items().length > 1;
  for (const rule of element.at('validation', 'rules').items()) {
    const name = rule.at('type').text() ?? '';
    const params = rule.at('params');
    report.ignored([rule.at('id')]);
    const [min, max] = [params.at('min').number(), params.at('max').number()];
    if (isAny) report.dropped(rule, 'option', { name }, id);
    else if (name === 'minLength' && min !== undefined) limits.min = min;
    else if (name === 'maxLength' && max !== undefined) limits.max = max;
    else if (name === 'minValue' && min !== undefined) numbers.min = min;
    else if (name === 'maxValue' && max !== undefined) numbers.max = max;
    else if (name === 'email' || name === 'url' || name === 'phone') type = name;
    else if (name === 'pattern' && params.at('flags').value === undefined)
      pattern = params.at('pattern').text();
    else report.dropped(rule, 'option', { name }, id);
  }
  if (type === 'email' || type === 'url' || type === 'phone') return { type };
  if (type === 'number') return { type: 'number', ...numbers };
  const { min = 0, max } = limits;
  const isMin = Number.isInteger(min) && min > 1 && min <= answerCharsMax;
  const isMax =
    max !== undefined && Number.isInteger(max) && max >= Math.max(min, 1) && max <= answerCharsMax;
  return {
    type: isLong ? 'longText' : 'text',
    ...(isMin && { minLength: min }),
    ...(isMax && { maxLength: max }),
    ...(pattern !== undefined && pattern.length <= 200 && { pattern }),
  };
}

function lengthsOf(element: Source): { min?: number; max?: number } {
  const limit = element.at('charLimit');
  const isOn = limit.at('enabled').flag() === true;
  const [min, max] = [limit.at('min').number(), limit.at('max').number()];
  return isOn ? { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } : {};
}

export function dateRule(element: Source, survey: Survey, id: string): InputRule {
  const { report } = survey.setting;
  const limits: { min?: string; max?: string } = {};
  element.at('validation', 'logic').pass();
  for (const rule of element.at('validation', 'rules').items()) {
    const name = rule.at('type').text() ?? '';
    const params = rule.at('params');
    report.ignored([rule.at('id')]);
    if (name === 'isBetween') {
      const [min, max] = [params.at('startDate').text(), params.at('endDate').text()];
      if (isDay(min)) limits.min = min;
      if (isDay(max)) limits.max = max;
    } else report.dropped(rule, 'option', { name }, id);
  }
  return { type: 'date', ...limits };
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);
}
