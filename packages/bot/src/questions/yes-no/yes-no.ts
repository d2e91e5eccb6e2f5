import { z } from 'zod';
import { label } from '../../text/format-text.ts';
import { localText } from '../../text/template.ts';
import { impliedLabels } from '../implied-labels.ts';
import { repeatedLabels, reportLabels } from '../parts/labels.ts';
import { foldWording, readLabel, readYesOrNo } from '../parts/read-choice.ts';
import { counted, evaluationText, plainValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';
import { messages } from '../../text/messages.ts';

const options = { labels: z.strictObject({ yes: label, no: label }).optional() };

const defaultLabels = impliedLabels.yesNo;

/** A question that is answered by yes or no. */
export const yesNo = {
  ...plainValue,
  ...counted,
  name: 'yesNo',
  title: { en: 'Yes or no', de: 'Ja oder nein' },
  options,
  docs: { options: '`labels` with `yes` and `no`', value: 'bool' },
  valueForm: 'booleans',
  effort: 'press',
  refusals: {
    'not-yes-or-no': {
      en: 'Please answer yes or no.',
      de: 'Bitte antworten Sie mit Ja oder Nein.',
      fr: 'Veuillez répondre par oui ou par non.',
      es: 'Responda sí o no.',
      ar: 'يرجى الإجابة بنعم أو لا.',
    },
  },
  reportFaults({ labels }, { locale }, report) {
    reportLabels(labels, locale, report);
    const same = labels && repeatedLabels([labels.yes, labels.no], locale).get(1);
    if (same !== undefined) report(`/labels/no${same.inside}`, messages.sameYesAndNo(same.where));
  },
  celType: () => 'bool',
  celValue: (_rule, value) => value,
  longestValue: () => true,
  readText({ labels = defaultLabels }, text, language) {
    const found = readLabel(labels, text, language);
    if (found !== undefined) return found === 'yes';
    const isYes = readYesOrNo(text);
    if (isYes === undefined) return undefined;
    // With labels such as "No problem" and "Yes, I have one" these words are ambiguous.
    const other = localText(isYes ? labels.no : labels.yes, language.locale, language.ownLocale);
    const [first = ''] = foldWording(other).split(/[^\p{L}]/u);
    return readYesOrNo(first) === isYes ? undefined : isYes;
  },
  checkValue: (_rule, value) => (typeof value === 'boolean' ? { value } : { reason: 'not-yes-or-no' }),
  sayValue: ({ labels = defaultLabels }, value, say) => say(labels[value ? 'yes' : 'no']),
  scaleMax: () => undefined,
  evaluationText: (value) => evaluationText(value),
  describeRule: ({ labels: { yes, no } = defaultLabels }, say) => ({
    labels: { yes: say(yes), no: say(no) },
  }),
  describeAnswers: ({ labels }) => `${labels?.['yes']} | ${labels?.['no']}`,
  clicks: ({ labels }) => [
    { value: true, key: 'yes', label: labels?.['yes'] ?? 'yes' },
    { value: false, key: 'no', label: labels?.['no'] ?? 'no' },
  ],
  modelSchema: () => ({ type: ['boolean', 'null'] }),
  // Yes and no say nothing about a person by themselves.
  personalTexts: () => [],
  figure: 'counts',
  countableValues: () => ['yes', 'no'],
} satisfies QuestionType<RuleOf<'yesNo', typeof options>, boolean, 'not-yes-or-no'>;
