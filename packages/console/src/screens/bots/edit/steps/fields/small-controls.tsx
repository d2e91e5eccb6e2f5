import { type KeyboardEvent, useId, useState } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { SelectField, TextField } from '../../../../../ui/forms/field.tsx';
import { useOutline } from './editing.tsx';

interface StepSelectProps {
  label: string;
  value: string;
  /** The words of no step. Without it, a step must be chosen. */
  nothing?: string | undefined;
  onChange(id: string): void;
}

/** A choice of a step by its words. */
export function StepSelect({ label, value, nothing, onChange }: StepSelectProps) {
  const { steps: t } = useTexts();
  const { steps } = useOutline();
  const options = steps.map(({ id, label: words }) => ({ value: id, label: words }));
  const first = { value: '', label: nothing ?? t.choose };
  const hasFirst = nothing !== undefined || value === '';
  return (
    <SelectField
      label={label}
      value={value}
      options={hasFirst ? [first, ...options] : options}
      onChange={onChange}
      className="w-full min-w-0"
    />
  );
}

interface SettledProps {
  label: string;
  value: string;
  suggestions?: readonly string[];
  inputMode?: 'decimal';
  /** Whether the value is taken while it is typed. Else when the field is left, or with Enter. */
  isLive?: boolean;
  onChange(value: string, isTyping: boolean): void;
}

/** A field whose text may be no value yet while it is typed. */
export function SettledField({
  label,
  value,
  suggestions,
  isLive = false,
  onChange,
  ...props
}: SettledProps) {
  const [typed, setTyped] = useState<string>();
  const id = useId();
  const settle = (): void => {
    if (typed !== undefined && typed !== value) onChange(typed, false);
    setTyped(undefined);
  };
  return (
    <>
      <TextField
        {...props}
        label={label}
        value={typed ?? value}
        list={suggestions && id}
        spellCheck={false}
        onChange={(next) => {
          setTyped(next);
          if (isLive) onChange(next, true);
        }}
        onBlur={settle}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') settle();
        }}
      />
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}
