import type { InputRule, LocalText } from '@parley/bot/format';
import { addQuestion, addSay, answerOf } from '../parts/questions.ts';
import type { Source } from '../parts/source.ts';
import { type Survey, wordsIn } from './survey.ts';

const fields = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'company',
  'addressLine1',
  'addressLine2',
  'city',
  'state',
  'zip',
  'country',
];

type Head = { own: string; id: string; text: LocalText | undefined };

/** Adds the fields of an address, or of a contact, as questions. */
export function addAddress(element: Source, { own, id, text }: Head, survey: Survey): void {
  const { setting, questions } = survey;
  const { report, names } = setting;
  addSay(id, text, element, setting);
  report.changed(element, 'fields-split', {}, text === undefined ? undefined : id);
  for (const name of fields) {
    const field = element.at(name);
    if (field.value === undefined) continue;
    if (field.at('show').flag() === false) {
      report.ignored([field]);
      continue;
    }
    const words = wordsIn(field.at('placeholder'), survey) ?? name;
    const step = names.step(name, 'field');
    const input: InputRule = { type: name === 'email' || name === 'phone' ? name : 'text' };
    const isRequired = field.at('required').flag() === true;
    addQuestion({ id: step, text: words, input, isRequired }, field, setting);
    report.converted(field, 'question', { from: name, to: input.type }, step);
    if (!questions.has(own))
      questions.set(own, { operand: answerOf(step, input), reference: `answers.${step}` });
  }
  element.at('validation', 'logic').pass();
  for (const rule of element.at('validation', 'rules').items())
    report.dropped(rule, 'option', { name: String(rule.at('type').value) }, id);
}
