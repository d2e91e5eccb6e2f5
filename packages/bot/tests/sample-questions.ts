import type { InputRule, TypeName } from '../src/questions/types.ts';

/** A question of each type, for tests of all types. */
export interface SampleQuestion {
  /** In English and Arabic. */
  text: [string, string];
  input: InputRule;
  /** Valid values; none for texts, for which tests write their own. */
  values: readonly unknown[];
  /** A valid answer in ASCII as a customer may type it; null for a text, which stays as it is typed. */
  typed: string | null;
}

const choices = [
  { value: 'mild', label: { en: 'Mild and sweet', ar: 'خفيف وحلو' } },
  {
    value: 'fruity',
    label: { en: 'Fruity, with a long finish that reminds of blackcurrant and late summer', ar: 'فاكهي' },
  },
  { value: 'dark', label: { en: 'Dark', ar: 'داكن' } },
];
const ends = { low: { en: 'Poor', ar: 'سيئ' }, high: { en: 'Excellent', ar: 'ممتاز' } };

const other = { label: { en: 'Something else', ar: 'شيء آخر' }, maxLength: 60 };
const none = { value: 'none', label: { en: 'None of these', ar: 'لا شيء من هذه' }, exclusive: true };

/** By type, `stars` for a short scale, and two that take own words. */
export const sampleQuestions: Readonly<
  Record<TypeName | 'stars' | 'choiceOrOther' | 'severalOrOther', SampleQuestion>
> = {
  text: {
    text: ['What shall we call you?', 'ماذا نناديك؟'],
    input: { type: 'text', minLength: 2, maxLength: 80 },
    values: [],
    typed: null,
  },
  longText: {
    text: ['What would you like to tell us?', 'ماذا تود أن تقول لنا؟'],
    input: { type: 'longText' },
    values: [],
    typed: null,
  },
  choice: {
    text: ['How do you like your coffee?', 'كيف تحب قهوتك؟'],
    input: { type: 'choice', choices },
    values: ['mild', 'fruity', 'dark'],
    typed: 'mild AND sweet',
  },
  multiChoice: {
    text: ['Which of these do you like?', 'أي من هذه تحب؟'],
    input: { type: 'multiChoice', choices, minSelections: 1, maxSelections: 2 },
    values: [['mild'], ['fruity', 'dark'], ['mild', 'fruity']],
    typed: 'mild and sweet, dark;',
  },
  choiceOrOther: {
    text: ['How did you hear of us?', 'كيف سمعت بنا؟'],
    input: { type: 'choice', choices, other, order: 'random' },
    values: ['dark', { other: 'A friend, Zaphod' }],
    typed: 'Dark',
  },
  severalOrOther: {
    text: ['What do you put into your coffee?', 'ماذا تضع في قهوتك؟'],
    input: { type: 'multiChoice', choices: [...choices, none], other, order: 'random', minSelections: 2 },
    values: [['none'], ['mild', { other: 'Cardamom, or dark' }], ['mild', 'dark']],
    typed: 'dark, mild and sweet',
  },
  ranking: {
    text: ['What matters most to you?', 'ما الأهم بالنسبة لك؟'],
    input: { type: 'ranking', choices, order: 'random' },
    values: [
      ['fruity', 'mild', 'dark'],
      ['dark', 'mild', 'fruity'],
    ],
    typed: 'dark mild and sweet fruity',
  },
  matrix: {
    text: ['How do you rate our coffee?', 'كيف تقيم قهوتنا؟'],
    input: {
      type: 'matrix',
      rows: choices,
      columns: [
        { value: 'bad', label: { en: 'Not good', ar: 'ليس جيدا' } },
        { value: 'ok', label: { en: 'Fair', ar: 'مقبول' } },
        { value: 'good', label: { en: 'Good', ar: 'جيد' } },
      ],
      order: 'random',
    },
    values: [
      { mild: 'good', fruity: 'bad', dark: 'ok' },
      { mild: 'ok', fruity: 'ok', dark: 'ok' },
    ],
    typed: 'mild: good; dark fair; fruity = not good',
  },
  consent: {
    text: ['May we write to you?', 'هل يمكننا أن نكتب إليك؟'],
    input: {
      type: 'consent',
      label: { en: 'I agree to get letters about coffee', ar: 'أوافق على تلقي رسائل عن القهوة' },
      url: 'https://example.com/privacy',
    },
    values: [true, false],
    typed: 'yes',
  },
  nps: {
    text: ['How likely are you to recommend us?', 'ما مدى احتمال أن توصي بنا؟'],
    input: { type: 'nps' },
    values: [0, 4, 9, 10],
    typed: '10',
  },
  stars: {
    text: ['How was your order?', 'كيف كان طلبك؟'],
    input: { type: 'rating', max: 5, labels: ends },
    values: [1, 5],
    typed: '4',
  },
  rating: {
    text: ['How was the taste?', 'كيف كان الطعم؟'],
    input: { type: 'rating', max: 10, labels: ends },
    values: [1, 7, 10],
    typed: '4',
  },
  number: {
    text: ['How many cups a day?', 'كم فنجانًا في اليوم؟'],
    input: { type: 'number', min: 0, max: 20 },
    values: [0, 2.5, 20],
    typed: '12.5',
  },
  yesNo: {
    text: ['Do you own a grinder?', 'هل تملك مطحنة؟'],
    input: { type: 'yesNo' },
    values: [true, false],
    typed: 'Yes!',
  },
  date: {
    text: ['When shall we deliver?', 'متى نوصل؟'],
    input: { type: 'date', min: '2030-01-01', max: '2040-12-31' },
    values: ['2030-01-01', '2040-02-29'],
    typed: '2030-05-01',
  },
  time: {
    text: ['At what time?', 'في أي وقت؟'],
    input: { type: 'time', min: '08:00', max: '18:00' },
    values: ['08:00', '17:30'],
    typed: '5:30 pm',
  },
  email: {
    text: ['What is your e-mail address?', 'ما هو بريدك الإلكتروني؟'],
    input: { type: 'email' },
    values: ['zaphod@example.org'],
    typed: "o'neil.b-c+x9@mail-1.example.com",
  },
  phone: {
    text: ['What is your phone number?', 'ما هو رقم هاتفك؟'],
    input: { type: 'phone' },
    values: ['+46 8 123 456 7'],
    typed: '+49 (0)30 123-456/78',
  },
  url: {
    text: ['Where is your shop on the web?', 'أين متجرك على الإنترنت؟'],
    input: { type: 'url' },
    values: ['example.com/1'],
    typed: 'https://example.com/a-b?c=1',
  },
};
