import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { boundedText, label } from '../../text/format-text.ts';
import { languageOfText, localText } from '../../text/template.ts';
import { reportLabel } from '../parts/labels.ts';
import { bareWording, readChoice, readYesOrNo } from '../parts/read-choice.ts';
import { counted, evaluationText, plainValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';
import { messages } from '../../text/messages.ts';

const options = {
  label,
  url: boundedText(2000).optional().describe('The https address of the full text.'),
};

const consentRefusals = {
  'not-a-consent': {
    en: 'Please agree, or answer no.',
    de: 'Bitte stimmen Sie zu, oder antworten Sie mit Nein.',
    fr: 'Veuillez accepter, ou répondre non.',
    es: 'Acepte, o responda que no.',
    ar: 'يرجى الموافقة أو الإجابة بلا.',
  },
  'consent-needed': {
    en: 'This cannot go on without your consent.',
    de: 'Ohne Ihre Zustimmung geht es nicht weiter.',
    fr: 'Impossible de continuer sans votre accord.',
    es: 'No se puede continuar sin su consentimiento.',
    ar: 'لا يمكن المتابعة دون موافقتك.',
  },
};

const declined = '✗ ';

// Its question has no labels of yes and no.
const yesWords = new Set(['i agree', 'agree', 'i accept', 'accept', 'ja', 'oui', 'sí', 'si', 'نعم']);
const noWords = new Set(['i do not agree', 'decline', 'nein', 'non', 'لا']);

/** A consent to a text. The entry of the answer keeps what was shown. */
export const consent = {
  ...plainValue,
  ...counted,
  name: 'consent',
  title: { en: 'Consent', de: 'Zustimmung' },
  options,
  docs: { options: '`label`: the text; `url` of the full text', value: 'bool' },
  valueForm: 'booleans',
  effort: 'press',
  refusals: consentRefusals,
  reportFaults(rule, { locale }, report) {
    reportLabel(rule.label, locale, (inside, detail) => report(`/label${inside}`, detail));
    const { url } = rule;
    if (url !== undefined && !(url.startsWith('https://') && URL.canParse(url))) {
      report('/url', messages.noHttps);
    }
  },
  describeShown(rule, language) {
    const shown = localText(rule.label, language.locale, language.ownLocale);
    const locale = languageOfText(rule.label, language.locale, language.ownLocale);
    return { consent: { sha256: bytesToHex(sha256(utf8ToBytes(shown.toWellFormed()))), locale } };
  },
  celType: () => 'bool',
  celValue: (_rule, value) => value,
  longestValue: () => true,
  readText(rule, text, language) {
    if (readChoice([{ value: 'yes', label: rule.label }], text, language) !== undefined) return true;
    const wanted = bareWording(text);
    return yesWords.has(wanted) ? true : noWords.has(wanted) ? false : readYesOrNo(text);
  },
  checkValue: (_rule, value) => (typeof value === 'boolean' ? { value } : { reason: 'not-a-consent' }),
  // Only the customer gives it, by an action (GDPR, recital 32).
  takesPrefill: false,
  whyNotEnough: (value) => (value ? undefined : 'consent-needed'),
  sayValue: (rule, value, say) => `${value ? '' : declined}${say(rule.label)}`,
  scaleMax: () => undefined,
  evaluationText: (value) => evaluationText(value),
  describeRule: (rule, say) => ({
    label: say(rule.label),
    ...(rule.url !== undefined && { url: rule.url }),
  }),
  describeAnswers: ({ label: shown, url }) =>
    `yes | no: ${shown ?? ''}${url === undefined ? '' : ` (${url})`}`,
  modelSchema: () => ({ type: ['boolean', 'null'] }),
  // As of yes and no.
  personalTexts: () => [],
  figure: 'counts',
  countableValues: () => ['yes', 'no'],
} satisfies QuestionType<RuleOf<'consent', typeof options>, boolean, keyof typeof consentRefusals>;
