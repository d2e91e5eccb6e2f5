import type { Control } from '@parley/bot/editing/forms';
import { useId, useState } from 'react';
import { useLanguage, useTexts } from '../../../../../texts/texts.tsx';
import { SelectField } from '../../../../../ui/forms/field.tsx';
import { durationOf, secondsOf, type Unit, unitNames } from './durations.ts';
import { languageOptions } from './languages.ts';
import { SettledField } from './small-controls.tsx';

interface DurationProps {
  label: string;
  control: Extract<Control, { kind: 'duration' }>;
  value: unknown;
  isRequired: boolean;
  set(value: unknown, isTyping?: boolean): void;
}

/** A time, or never. */
export function DurationControl({ label, control, value, isRequired, set }: DurationProps) {
  const { steps: t } = useTexts();
  const { hasNever, otherwise, min } = control;
  const seconds = typeof value === 'number' ? value : (otherwise ?? min);
  const shown = durationOf(seconds);
  const [chosen, choose] = useState<Unit>();
  const isNever = value === null;
  // The chosen unit stays while the number is typed.
  const unit = chosen ?? shown.unit;
  const count = seconds / (secondsOf('1', unit) ?? 1);
  const write = (next: number | undefined, isTyping = false): void => {
    if (next !== undefined) set(next === otherwise && !isRequired ? undefined : next, isTyping);
  };
  const names = hasNever ? [...unitNames, 'never' as const] : unitNames;
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-end gap-2">
      {!isNever && (
        <div className="min-w-0 flex-1 basis-44">
          <SettledField
            label={label}
            value={String(Number(count.toFixed(4)))}
            inputMode="decimal"
            isLive
            onChange={(entered, isTyping) => write(secondsOf(entered, unit), isTyping)}
          />
        </div>
      )}
      <SelectField
        label={isNever ? label : t.unit}
        value={isNever ? 'never' : unit}
        options={names.map((name) => ({ value: name, label: t.units[name] }))}
        onChange={(name) => {
          if (name === 'never') return set(null);
          const next = name as Unit;
          choose(next);
          write(isNever ? (otherwise ?? min) : secondsOf(String(Number(count.toFixed(4))), next));
        }}
      />
    </div>
  );
}

interface ValueProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** A language, by its name. */
export function LocaleSelect({ label, value, onChange }: ValueProps) {
  const { language } = useLanguage();
  return (
    <SelectField
      label={label}
      value={value === '' ? 'en' : value}
      options={languageOptions(language)}
      onChange={onChange}
      className="w-full min-w-0"
    />
  );
}

/** A text of several lines. */
export function LongField({ label, value, onChange }: ValueProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-quiet">
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        className="field h-auto w-full py-2 field-sizing-content"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
