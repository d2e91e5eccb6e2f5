import type { AskStep, InputRule, LocalText, Step } from '@parley/bot/format';
import type { Operand } from './expressions.ts';
import type { Setting } from './setting.ts';
import type { Source } from './source.ts';
import { cut, textCharsMax } from './texts.ts';

/** What stands for a question that has no words. */
const noWords = '…';

/** Returns the answer of a question as an operand. */
export function answerOf(id: string, input: InputRule): Operand {
  return { value: `answers.${id}`, type: typeOf(input), has: `has(answers.${id})` };
}

function typeOf(input: InputRule): Operand['type'] {
  switch (input.type) {
    case 'multiChoice':
    case 'ranking':
      return 'list';
    case 'nps':
    case 'rating':
      return 'int';
    case 'number':
      return input.integer === true ? 'int' : 'double';
    case 'yesNo':
    case 'consent':
      return 'bool';
    default:
      return 'string';
  }
}

export type Asked = {
  id: string;
  text: LocalText | undefined;
  input: InputRule;
  isRequired: boolean;
  retry?: LocalText | undefined;
};

/** Adds a question. Its answer is in the evaluation under the id of the step, or under `key`. */
export function addQuestion(
  { id, text, input, isRequired, retry }: Asked,
  source: Source,
  { flow, report, names }: Setting,
  key: string | undefined = names.evaluation(id, 'answer'),
): void {
  if (text === undefined) report.changed(source, 'question-missing', {}, id);
  const step: AskStep = {
    id,
    kind: 'ask',
    text: cut(text ?? noWords, textCharsMax, source, report),
    input,
    ...(!isRequired && { required: false }),
    ...(key !== undefined && { evaluation: key }),
    ...(isPersonal(input) && { pii: true }),
    ...(retry !== undefined && { retry: { text: retry } }),
  };
  flow.add(step, source);
}

/** Addresses and numbers of people are personal, whatever product asks for them. */
function isPersonal({ type }: InputRule): boolean {
  return type === 'email' || type === 'phone';
}

/** Returns the rule of a scale from `min` to `max`, in the type of question that has it. */
export function scaleRule(
  min: number,
  max: number,
  labels: { low: LocalText; high: LocalText } | undefined,
): InputRule {
  const more = labels === undefined ? {} : { labels };
  if (min === 0 && max === 10) return { type: 'nps', ...more };
  if (min === 1 && max >= 2 && max <= 10) return { type: 'rating', ...(max !== 5 && { max }), ...more };
  return { type: 'number', min, max, integer: true };
}

/** Returns labels of both ends of a scale; undefined without both. */
export function scaleLabels(low: LocalText | undefined, high: LocalText | undefined) {
  if (low === undefined && high === undefined) return undefined;
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** Adds a text of the bot, unless it is empty. */
export function addSay(
  id: string,
  text: LocalText | undefined,
  source: Source,
  { flow, report }: Setting,
): void {
  if (text === undefined) return;
  const step: Step = { id, kind: 'say', text: cut(text, textCharsMax, source, report) };
  flow.add(step, source);
}
