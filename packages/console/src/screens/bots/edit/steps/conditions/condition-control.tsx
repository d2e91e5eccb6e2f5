import { type Condition, readCondition, type Row, writeCondition } from '@parley/bot/editing/conditions';
import type { Path } from '@parley/bot/editing/json-edits';
import { Plus, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import { SelectField } from '../../../../../ui/forms/field.tsx';
import {
  comparisonsFor,
  fittingRow,
  newRow,
  type OperandForm,
  operandForm,
  readOperand,
} from './condition-form.ts';
import { useFieldFault, useOutline } from '../fields/editing.tsx';
import { ExpressionField } from '../offers/expression-field.tsx';
import { SettledField } from '../fields/small-controls.tsx';
import { expressionOffers } from '../offers/offers.ts';

interface Props {
  /** The words before the condition. */
  label: string;
  /** Its place in the card. */
  path: Path;
  expression: string;
  onChange(expression: string, isTyping: boolean): void;
}

/** A condition in rows of words. What rows cannot say is an expression, and stays one while it is written. */
export function ConditionControl({ label, path, expression, onChange }: Props) {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  const condition = readCondition(expression);
  const [isWritten, setWritten] = useState(condition === undefined);
  if (!condition || isWritten)
    return (
      <div className="space-y-2">
        <ExpressionControl {...{ label, path, expression, onChange }} onFocus={() => setWritten(true)} />
        {condition && (
          <Button isSmall kind="quiet" onClick={() => setWritten(false)}>
            {t.asRows}
          </Button>
        )}
      </div>
    );
  const { join, rows } = condition;
  const write = (next: Condition, isTyping = false): void => onChange(writeCondition(next), isTyping);
  const [first] = values;
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="mb-1 text-xs font-medium text-quiet">{label}</legend>
      {rows.length > 1 && (
        <SelectField
          label={t.join}
          value={join}
          options={Object.entries(t.joins).map(([value, words]) => ({ value, label: words }))}
          onChange={(next) => write({ rows, join: next === 'any' ? 'any' : 'all' })}
        />
      )}
      {rows.map((row, index) => (
        <ConditionRow
          key={index}
          row={row}
          number={index + 1}
          onChange={(next, isTyping) => write({ join, rows: rows.with(index, next) }, isTyping)}
          remove={rows.length > 1 ? () => write({ join, rows: rows.toSpliced(index, 1) }) : undefined}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {first && (
          <Button isSmall kind="quiet" onClick={() => write({ join, rows: [...rows, newRow(first)] })}>
            <Plus size={14} aria-hidden="true" />
            {t.addRow}
          </Button>
        )}
        <Button isSmall kind="quiet" onClick={() => setWritten(true)}>
          {t.asExpression}
        </Button>
      </div>
    </fieldset>
  );
}

/** An expression with completion, and what is wrong with it. */
export function ExpressionControl({
  label,
  path,
  expression,
  onChange,
  onFocus,
}: Props & { onFocus?(): void }) {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  const offersAt = useMemo(() => expressionOffers(values, t.functions), [values, t]);
  return (
    <ExpressionField
      label={`${label} · ${t.expression}`}
      text={expression}
      fault={useFieldFault(path)}
      offersAt={offersAt}
      write={(next) => onChange(next, true)}
      {...(onFocus && { onFocus })}
    />
  );
}

interface RowProps {
  row: Row;
  number: number;
  onChange(row: Row, isTyping: boolean): void;
  /** Undefined for the only row. */
  remove: (() => void) | undefined;
}

function ConditionRow({ row, number, onChange, remove }: RowProps) {
  const { steps: t } = useTexts();
  const { values } = useOutline();
  const value = values.find(({ name }) => name === row.of);
  const form = operandForm(row, value, t);
  const comparisons = comparisonsFor(value, row.comparison);
  const enter = (text: string, isTyping: boolean): void => {
    const operand = readOperand(text, form, value);
    if (operand !== undefined) onChange({ ...row, operand }, isTyping);
  };
  return (
    <div role="group" aria-label={t.row(number)} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-[3_1_12rem]">
        <SelectField
          label={t.value}
          value={row.of}
          options={values.map(({ name, label }) => ({ value: name, label }))}
          isLong
          onChange={(of) => {
            const next = values.find(({ name }) => name === of);
            if (next) onChange(fittingRow({ ...row, of }, next), false);
          }}
          className="w-full min-w-0"
        />
      </div>
      <div className="min-w-0 flex-[2_1_8rem]">
        <SelectField
          label={t.comparison}
          value={row.comparison}
          options={comparisons.map((one) => ({ value: one, label: t.comparisons[one] }))}
          onChange={(chosen) => {
            const comparison = chosen as Row['comparison'];
            onChange(value ? fittingRow({ ...row, comparison }, value) : { ...row, comparison }, false);
          }}
          className="w-full min-w-0"
        />
      </div>
      {form.kind !== 'none' && <Operand form={form} operand={row.operand} enter={enter} />}
      {remove && (
        <Button isSmall kind="quiet" aria-label={t.removeRow(number)} onClick={remove}>
          <X size={14} aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

interface OperandProps {
  form: OperandForm;
  operand: Row['operand'];
  enter(text: string, isTyping: boolean): void;
}

function Operand({ form, operand, enter }: OperandProps) {
  const { steps: t } = useTexts();
  const text = String(operand ?? '');
  return (
    <div className="min-w-0 flex-[2_1_8rem]">
      {form.kind === 'choice' ? (
        <SelectField
          label={t.operand}
          value={text}
          options={form.options}
          onChange={(next) => enter(next, false)}
          className="w-full min-w-0"
        />
      ) : (
        <SettledField
          label={t.operand}
          value={text}
          isLive
          onChange={enter}
          {...(form.kind === 'number' && { inputMode: 'decimal' as const })}
        />
      )}
    </div>
  );
}
