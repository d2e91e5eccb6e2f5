import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { SelectField, TextField } from '../../../../../ui/forms/field.tsx';
import { ownHistory } from '../../history/history.tsx';
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
      isLong
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
  const shown = useRef({ value, isOwn: false });
  // A value from elsewhere, such as after an undo, replaces what was typed.
  useEffect(() => {
    if (value !== shown.current.value && !shown.current.isOwn) setTyped(undefined);
    shown.current = { value, isOwn: false };
  });
  const isWaiting = !isLive && typed !== undefined && typed !== value;
  const settle = (): void => {
    if (typed !== undefined && typed !== value) onChange(typed, false);
    setTyped(undefined);
  };
  return (
    <>
      <TextField
        {...props}
        {...(isWaiting && ownHistory)}
        label={label}
        value={typed ?? value}
        list={suggestions && id}
        spellCheck={false}
        onChange={(next) => {
          setTyped(next);
          shown.current.isOwn = isLive;
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

interface FixedProps {
  names: readonly string[];
  value: Record<string, unknown>;
}

/** Says what a form cannot change, and why. */
export function FixedMembers({ names, value }: FixedProps) {
  const { steps: t } = useTexts();
  const given = names.filter((name) => value[name] !== undefined);
  if (given.length === 0) return null;
  return (
    <section aria-label={t.fixed} className="text-xs text-quiet">
      <h4 className="font-medium">{t.fixed}</h4>
      <ul className="mt-1 space-y-1">
        {given.map((name) => (
          <li key={name} className="break-words">
            <code className="font-mono">
              {name}
              {typeof value[name] !== 'object' && `: ${JSON.stringify(value[name])}`}
            </code>
            {' · '}
            {t.fixedMembers[name]}
          </li>
        ))}
      </ul>
    </section>
  );
}
