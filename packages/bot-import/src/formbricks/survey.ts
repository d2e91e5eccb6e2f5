import type { BotDefinition, LocalText } from '@parley/bot/format';
import type { Operand } from '../parts/expressions.ts';
import type { Setting } from '../parts/setting.ts';
import type { Source } from '../parts/source.ts';
import { htmlText, mapText, reference, withReferences } from '../parts/texts.ts';
import type { Variable } from '../parts/variables.ts';

/** A question of the survey, by the id of its element. */
export type Question = {
  operand: Operand;
  /** What texts refer to. */
  reference: string;
  /** The values of choices by their ids, in their order. */
  values?: Map<string, string>;
  /** Of a matrix: the values of rows, and of columns by their ids, in their order. */
  rows?: string[];
  columns?: Map<string, string>;
};

export type Survey = {
  setting: Setting;
  locale: string;
  /** The languages of the survey as a bot has them: `de` for `de-DE`, unless there are two kinds of German. */
  languages: Map<string, string>;
  context: NonNullable<BotDefinition['context']>;
  /** By id. */
  variables: Map<string, Variable>;
  hidden: Map<string, string>;
  questions: Map<string, Question>;
  /** The labels of blocks and endings by their ids. */
  labels: Map<string, string>;
};

/** The most languages of a text. */
const languagesMax = 20;
const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;
const recall = /#recall:([A-Za-z0-9_-]+)\/fallback:([^#]*)#/g;

export function readSurvey(root: Source, setting: Setting): Survey {
  const { report, names } = setting;
  const survey: Survey = {
    setting,
    ...languagesOf(root),
    context: [],
    variables: new Map(),
    hidden: new Map(),
    questions: new Map(),
    labels: new Map(),
  };
  root.at('hiddenFields', 'enabled').pass();
  for (const source of root.at('hiddenFields', 'fieldIds').items()) {
    const name = source.text() ?? '';
    const property = names.context(name, 'hidden');
    survey.hidden.set(name, property);
    survey.context.push({ name: property });
    report[property === name ? 'converted' : 'changed'](
      source,
      property === name ? 'context' : 'context-renamed',
      {
        name: property,
      },
    );
  }
  for (const source of root.at('variables').items()) {
    const key = names.evaluation(source.at('name').text() ?? '', 'value');
    const isNumber = source.at('type').text() === 'number';
    const start = isNumber ? (source.at('value').number() ?? 0) : (source.at('value').text() ?? '');
    survey.variables.set(source.at('id').text() ?? '', { key, type: isNumber ? 'number' : 'text', start });
    report.converted(source, 'variable', { name: key });
  }
  return survey;
}

function languagesOf(root: Source): Pick<Survey, 'locale' | 'languages'> {
  const given = root
    .at('languages')
    .items()
    .map((source) => {
      source.at('enabled').pass();
      const code = source.at('language', 'code').text() ?? source.at('code').text() ?? '';
      return { code, isDefault: source.at('default').flag() === true };
    });
  const own = root.at('defaultLanguage').text() ?? given.find(({ isDefault }) => isDefault)?.code ?? 'en';
  const codes = [...new Set([own, ...given.map(({ code }) => code)])].filter((code) =>
    languageTag.test(code),
  );
  const baseOf = (code: string): string => code.split('-')[0] ?? code;
  const languages = new Map(
    codes.map((code) => {
      const isAlone = codes.filter((one) => baseOf(one) === baseOf(code)).length === 1;
      return [code, isAlone ? baseOf(code) : code];
    }),
  );
  const locale = languages.get(own) ?? 'en';
  return { locale, languages: languages.set('default', locale) };
}

/** Returns a text in all its languages, with references; undefined if it is empty. */
export function wordsIn(source: Source, survey: Survey): LocalText | undefined {
  const { report } = survey.setting;
  const texts = new Map<string, string>();
  const single = source.text();
  if (single !== undefined) texts.set(survey.locale, single);
  for (const [tag, member] of source.members()) {
    const wording = member.text();
    const language = survey.languages.get(tag) ?? tag;
    if (wording === undefined || wording.trim() === '') continue;
    if (!languageTag.test(language) || texts.size >= languagesMax)
      report.dropped(member, 'language', { name: tag });
    else texts.set(language, wording);
  }
  const own = texts.get(survey.locale) ?? [...texts.values()][0];
  if (own === undefined) return undefined;
  texts.delete(survey.locale);
  const text = texts.size === 0 ? own : { [survey.locale]: own, ...Object.fromEntries(texts) };
  let isFormatted = false;
  const words = mapText(text, (wording) => {
    const plain = htmlText(wording);
    isFormatted ||= /<(b|strong|i|em|u|a|h[1-6]|ul|ol|img)[\s>]/i.test(wording);
    return withReferences(plain, recall, (id, otherwise) => referenceTo(id, otherwise ?? '', source, survey));
  });
  if (isFormatted) report.changed(source, 'formatting');
  return words;
}

function referenceTo(id: string, otherwise: string, source: Source, survey: Survey): string {
  const fallback = otherwise.replaceAll('nbsp', ' ');
  const question = survey.questions.get(id);
  if (question !== undefined) return reference(question.reference, fallback);
  const hidden = survey.hidden.get(id);
  if (hidden !== undefined) return reference(`context.${hidden}`, fallback);
  const variable = survey.variables.get(id);
  if (variable !== undefined) return reference(`evaluation.${variable.key}`, fallback);
  survey.setting.report.changed(source, 'reference-lost', { name: id });
  return fallback.replaceAll(/[{}]/g, '');
}
