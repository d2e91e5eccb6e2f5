import { type Comparison, type Row, writeCondition } from '@parley/bot/editing/conditions';
import type { KnownValue } from '@parley/bot/editing/known-values';

/** How the operand of a row is entered. */
export type OperandForm =
  | { kind: 'none' }
  | { kind: 'choice'; options: { value: string; label: string }[] }
  | { kind: 'number' }
  | { kind: 'text' };

const ordered: Comparison[] = ['==', '!=', '<=', '>=', '<', '>'];

/** Returns the comparisons that make sense for a value, with the one that a row has. */
export function comparisonsFor(value: KnownValue | undefined, own?: Comparison): Comparison[] {
  const fitting = comparisonsOf(value);
  return own === undefined || fitting.includes(own) ? fitting : [own, ...fitting];
}

function comparisonsOf(value: KnownValue | undefined): Comparison[] {
  // `has` cannot name a field with a hyphen.
  const presence: Comparison[] = value?.name.includes('-') ? [] : ['given', 'missing'];
  switch (value?.type) {
    case 'int':
    case 'double':
      return [...ordered, ...presence];
    case 'bool':
      return ['==', ...presence];
    case 'list<string>':
      return ['has', 'hasNot', ...presence];
    case 'map<string, string>':
      return presence;
    default:
      return value?.needs.choices
        ? ['==', '!=', ...presence]
        : ['==', '!=', 'contains', 'containsNot', ...presence];
  }
}

/** Returns how the operand is entered. `yes` and `no` are the words of a value that is true or false. */
export function operandForm(
  { comparison, operand }: Row,
  value: KnownValue | undefined,
  words: { yes: string; no: string },
): OperandForm {
  if (comparison === 'given' || comparison === 'missing') return { kind: 'none' };
  const { choices, other, labels } = value?.needs ?? {};
  if (value?.type === 'bool' || typeof operand === 'boolean') {
    const { yes = words.yes, no = words.no } = labels ?? {};
    return {
      kind: 'choice',
      options: [
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ],
    };
  }
  if (choices) {
    const own = other ? [{ value: 'other', label: other.label }] : [];
    return { kind: 'choice', options: [...choices, ...own] };
  }
  const isNumber = value?.type === 'int' || value?.type === 'double' || typeof operand !== 'string';
  return { kind: isNumber ? 'number' : 'text' };
}

/** Returns an operand from what was entered; undefined if it is none yet. */
export function readOperand(
  text: string,
  { kind }: OperandForm,
  value: KnownValue | undefined,
): Row['operand'] {
  if (kind === 'number') {
    const trimmed = text.trim().replace(',', '.');
    if (/^-?\d{1,15}$/.test(trimmed)) return BigInt(trimmed);
    return /^-?\d{1,15}\.\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
  }
  return kind === 'choice' && value?.type === 'bool' ? text === 'true' : text;
}

/** Returns the row with which a condition about a value begins. */
export function newRow(value: KnownValue): Row {
  const [comparison = 'given'] = comparisonsFor(value);
  return fittingRow({ of: value.name, comparison }, value);
}

/** Returns a row whose operand fits its comparison and its value. */
export function fittingRow({ of, comparison, operand }: Row, value: KnownValue): Row {
  const allowed = comparisonsFor(value);
  const next = allowed.includes(comparison) ? comparison : (allowed[0] ?? 'given');
  if (next === 'given' || next === 'missing') return { of, comparison: next };
  const fits = operand !== undefined && operandFits(operand, value);
  return { of, comparison: next, operand: fits ? operand : firstOperand(value) };
}

function operandFits(operand: NonNullable<Row['operand']>, { type, needs }: KnownValue): boolean {
  if (type === 'bool') return typeof operand === 'boolean';
  if (type === 'int' || type === 'double') return typeof operand === 'bigint' || typeof operand === 'number';
  const isOther = operand === 'other' && needs.other !== undefined;
  return (
    typeof operand === 'string' &&
    (isOther || (needs.choices?.some(({ value }) => value === operand) ?? true))
  );
}

function firstOperand({ type, needs }: KnownValue): NonNullable<Row['operand']> {
  if (type === 'bool') return true;
  if (type === 'int' || type === 'double') {
    const { min, max } = needs;
    return typeof min === 'number' && typeof max === 'number' ? BigInt(Math.ceil((min + max) / 2)) : 0n;
  }
  return needs.choices?.[0]?.value ?? '';
}

/** Returns the condition with which a step begins that is only asked or said sometimes. */
export function newCondition(values: readonly KnownValue[]): string {
  const [first] = values;
  return first ? writeCondition({ join: 'all', rows: [newRow(first)] }) : 'true';
}
