import { z } from 'zod';
import { choice } from './choice/choice.ts';
import { consent } from './consent/consent.ts';
import { date } from './date/date.ts';
import { email } from './email/email.ts';
import type { InputOf } from './input.ts';
import { longText } from './long-text/long-text.ts';
import { matrix } from './matrix/matrix.ts';
import { multiChoice } from './multi-choice/multi-choice.ts';
import { nps } from './nps/nps.ts';
import { number } from './number/number.ts';
import { phone } from './phone/phone.ts';
import type { QuestionType, RuleOf } from './question-type.ts';
import { ranking } from './ranking/ranking.ts';
import { rating } from './rating/rating.ts';
import { text } from './text/text.ts';
import { time } from './time/time.ts';
import { url } from './url/url.ts';
import { yesNo } from './yes-no/yes-no.ts';

export type { Click } from './question-type.ts';

/** Everything else that lists types is derived from this list. */
export const questionTypes = [
  text,
  longText,
  email,
  phone,
  url,
  choice,
  multiChoice,
  nps,
  rating,
  number,
  yesNo,
  date,
  time,
  ranking,
  matrix,
  consent,
] as const;

type Type = (typeof questionTypes)[number];
type RuleOfType<One> = One extends {
  name: infer Name extends string;
  options: infer Options extends z.ZodRawShape;
}
  ? RuleOf<Name, Options>
  : never;
type ValueOf<Checked> = Checked extends { value: infer Value } ? Value : never;
type ReasonOfType<One> = One extends { refusals: infer Texts } ? keyof Texts & string : never;

export type TypeName = Type['name'];

/** What an answer may be: its type, and the options that the type has. */
export type InputRule = RuleOfType<Type>;

export type AnswerValue = ValueOf<ReturnType<Type['checkValue']>>;

/** The reasons for which only some types refuse an answer. */
export type TypeReason = ReasonOfType<Type>;

/** The current question as the browser sees it. */
export type Input = InputOf<TypeName>;

export type CountedName = Extract<Type, { figure: string }>['name'];

type AnyType = Omit<QuestionType<InputRule, AnswerValue, TypeReason>, 'refusals'>;

const byName = new Map<TypeName, AnyType>(questionTypes.map((type) => [type.name, type]));

export function typeNamed(name: TypeName): AnyType {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`There is no type of questions "${name}"`);
  return found;
}

export function typeOf({ type }: { type: TypeName }): AnyType {
  return typeNamed(type);
}

/** Undefined if the values of the rule's type are not counted. */
export function countedNameOf({ type }: InputRule): CountedName | undefined {
  return questionTypes.filter(isCounted).find(({ name }) => name === type)?.name;
}

function isCounted(type: Type): type is Extract<Type, { figure: string }> {
  return type.figure !== null;
}

const namesByOptions = new Map<z.ZodRawShape, TypeName[]>();
for (const { name, options } of questionTypes) {
  namesByOptions.set(options, [...(namesByOptions.get(options) ?? []), name]);
}

const alternatives = [...namesByOptions].map(([options, names]) =>
  z.strictObject({ type: names.length > 1 ? z.enum(names) : z.literal(names), ...options }),
);
const hasOptions = ({ shape }: (typeof alternatives)[number]): boolean => Object.keys(shape).length > 1;
const [firstAlternative, ...otherAlternatives] = [
  ...alternatives.filter(hasOptions),
  ...alternatives.filter((one) => !hasOptions(one)),
];
if (firstAlternative === undefined) throw new Error('There are no types of questions');

/** What an `ask` step accepts. Types without options are the last alternative. */
export const inputRule = z.discriminatedUnion('type', [firstAlternative, ...otherAlternatives]).meta({
  id: 'input',
  description: 'What an answer may be: its type, and the options that the type has.',
}) as z.ZodType<InputRule, InputRule>;
