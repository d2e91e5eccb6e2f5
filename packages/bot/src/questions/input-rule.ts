import { z } from 'zod';
import { type InputRule, questionTypes, type TypeName } from './types.ts';

/** The names of the types by their options. */
const namesByOptions = new Map<z.ZodRawShape, TypeName[]>();
for (const { name, options } of questionTypes) {
  namesByOptions.set(options, [...(namesByOptions.get(options) ?? []), name]);
}

const alternatives = [...namesByOptions].map(([options, names]) =>
  z.strictObject({ type: names.length > 1 ? z.enum(names) : z.literal(names), ...options }),
);
const hasOptions = ({ shape }: (typeof alternatives)[number]): boolean => Object.keys(shape).length > 1;
const [first, ...others] = [
  ...alternatives.filter(hasOptions),
  ...alternatives.filter((one) => !hasOptions(one)),
];
if (first === undefined) throw new Error('There are no types of questions');

/** What an `ask` step accepts. Types without options are the last alternative. */
export const inputRule = z.discriminatedUnion('type', [first, ...others]).meta({
  id: 'input',
  description: 'What an answer may be: its type, and the options that the type has.',
}) as unknown as z.ZodType<InputRule, InputRule>;
