import { asDouble, numberOf, type Operand, quoted } from '../parts/expressions.ts';

/** A part of a formula: a number, a text, or a value of which both is possible. */
type Part = { cel: string; type: 'number' | 'text' } | { operand: Operand };

type Token = { kind: 'number' | 'text' | 'name' | 'sign'; text: string };

const token = /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\{\{([^{}]+)\}\}|([-+*/()]))/y;

/**
 * Returns a formula as CEL: numbers, texts and `{{names}}` with + - * / and parentheses, or words with names in them.
 * Undefined for anything else, such as a script. `isCode`: it is never words.
 */
export function formulaOf(
  formula: string,
  operandOf: (name: string) => Operand | undefined,
  isCode: boolean,
): string | undefined {
  const tokens = tokensOf(formula);
  const parsed = tokens && parse(tokens, operandOf);
  if (parsed !== undefined) return 'cel' in parsed ? parsed.cel : textOf(parsed);
  return isCode ? undefined : wordsOf(formula, operandOf);
}

function tokensOf(formula: string): Token[] | undefined {
  const found: Token[] = [];
  const text = formula.trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) return undefined;
    const [, number, string, name, sign] = match;
    if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (string !== undefined)
      found.push({ kind: 'text', text: string.slice(1, -1).replaceAll(/\\(.)/g, '$1') });
    else if (name !== undefined) found.push({ kind: 'name', text: name.trim() });
    else found.push({ kind: 'sign', text: sign ?? '' });
  }
  return found;
}

/** Parses sums of products. Undefined for what is no formula, and for a name that is not known. */
function parse(tokens: Token[], operandOf: (name: string) => Operand | undefined): Part | undefined {
  let at = 0;
  const isSign = (...signs: string[]): boolean => {
    const next = tokens[at];
    return next?.kind === 'sign' && signs.includes(next.text);
  };
  const factor = (): Part | undefined => {
    const next = tokens[at];
    at += 1;
    if (next === undefined) return undefined;
    if (next.kind === 'number') return { cel: asDouble(Number(next.text)), type: 'number' };
    if (next.kind === 'text') return { cel: quoted(next.text), type: 'text' };
    if (next.kind === 'name') {
      const operand = operandOf(next.text);
      return operand && { operand };
    }
    if (next.text === '-') return grouped(joined({ cel: '0.0', type: 'number' }, '-', factor()));
    if (next.text !== '(') return undefined;
    const inside = sum();
    if (!isSign(')')) return undefined;
    at += 1;
    return grouped(inside);
  };
  const chain = (part: () => Part | undefined, signs: string[]): Part | undefined => {
    let left = part();
    while (left !== undefined && isSign(...signs)) {
      const sign = tokens[at]?.text ?? '';
      at += 1;
      left = joined(left, sign, part());
    }
    return left;
  };
  const product = (): Part | undefined => chain(factor, ['*', '/']);
  const sum = (): Part | undefined => chain(product, ['+', '-']);
  const whole = sum();
  return at === tokens.length ? whole : undefined;
}

function grouped(part: Part | undefined): Part | undefined {
  return part && 'cel' in part ? { ...part, cel: `(${part.cel})` } : part;
}

function joined(left: Part | undefined, sign: string, right: Part | undefined): Part | undefined {
  if (left === undefined || right === undefined) return undefined;
  const isText = [left, right].some((part) => 'type' in part && part.type === 'text');
  if (isText && sign !== '+') return undefined;
  const [one, other] = isText ? [textOf(left), textOf(right)] : [numberIn(left), numberIn(right)];
  if (one === undefined || other === undefined) return undefined;
  return { cel: `${one} ${sign} ${other}`, type: isText ? 'text' : 'number' };
}

function numberIn(part: Part): string | undefined {
  return 'operand' in part ? numberOf(part.operand) : part.type === 'number' ? part.cel : undefined;
}

function textOf(part: Part): string | undefined {
  if ('cel' in part) return part.type === 'text' ? part.cel : `string(${part.cel})`;
  const { value, type } = part.operand;
  if (type === 'list') return undefined;
  return type === 'string' ? value : `string(${value})`;
}

/** Returns words with `{{names}}` in them as CEL. */
function wordsOf(words: string, operandOf: (name: string) => Operand | undefined): string | undefined {
  const parts = words.split(/\{\{([^{}]+)\}\}/);
  const isPlain = parts.every((part, index) => index % 2 === 1 || !/[;=()[\]{}<>`\n]/.test(part));
  if (!isPlain) return undefined;
  const found = parts.map((part, index) => {
    if (index % 2 === 0) return part === '' ? '' : quoted(part);
    const operand = operandOf(part.trim());
    return operand && textOf({ operand });
  });
  if (found.some((part) => part === undefined)) return undefined;
  return found.filter((part) => part !== '').join(' + ') || "''";
}
