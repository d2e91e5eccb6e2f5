import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { classes } from '../classes.ts';

interface Option {
  value: string;
  label: string;
}

function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-quiet">
        {label}
      </label>
      {children}
    </div>
  );
}

type SelectProps = Omit<ComponentProps<'select'>, 'onChange'> & {
  label: string;
  options: Option[];
  /** Whether there are many such fields with many options: all but the chosen one are made at the first use. */
  isLong?: boolean;
  onChange(value: string): void;
};

/**
 * A choice with the list of the browser, which works with a keyboard and on phones. A value that is no option, or not
 * yet, is shown as it is: the browser would show another one.
 */
export function SelectField({ label, options, isLong = false, onChange, className, ...props }: SelectProps) {
  const id = useId();
  const [isUsed, setUsed] = useState(!isLong);
  const { value } = props;
  const isOption = options.some((option) => option.value === value);
  const shown =
    isOption || typeof value !== 'string' || value === '' ? options : [{ value, label: value }, ...options];
  const chosen = shown.find((option) => option.value === value) ?? shown[0];
  const made = isUsed || !chosen ? shown : [chosen];
  const begin = (): void => setUsed(true);
  return (
    <Labelled id={id} label={label}>
      <select
        id={id}
        {...props}
        className={classes('field pr-7', className)}
        // Before the browser opens its list. A keyboard only gives the focus.
        onPointerDown={begin}
        onFocus={begin}
        onChange={({ target }) => onChange(target.value)}
      >
        {made.map(({ value: one, label: text }) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

type AreaProps = Omit<ComponentProps<'textarea'>, 'onChange'> & {
  label: string;
  onChange(value: string): void;
};

export function TextAreaField({ label, onChange, className, ...props }: AreaProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <textarea
        id={id}
        spellCheck={false}
        {...props}
        className={classes('field h-auto py-2 font-mono text-xs', className)}
        onChange={({ target }) => onChange(target.value)}
      />
    </Labelled>
  );
}

type CheckProps = Omit<ComponentProps<'input'>, 'onChange' | 'type'> & {
  label: string;
  about?: string;
  onChange(checked: boolean): void;
};

export function CheckField({ label, about, onChange, ...props }: CheckProps) {
  return (
    <label className="flex min-h-6 items-start gap-2">
      <input
        type="checkbox"
        {...props}
        className="mt-1"
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        {about !== undefined && <span className="block text-xs text-quiet">{about}</span>}
      </span>
    </label>
  );
}

type FileProps = Omit<ComponentProps<'input'>, 'onChange' | 'type'> & {
  label: string;
  choose(file: File): void;
};

export function FileField({ label, choose, ...props }: FileProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <input
        id={id}
        type="file"
        {...props}
        className="max-w-full text-sm file:mr-3 file:h-9 file:rounded-md file:border file:border-solid file:border-strong-line file:bg-panel file:px-3 file:text-ink"
        onChange={({ target: { files } }) => {
          const [file] = files ?? [];
          if (file) choose(file);
        }}
      />
    </Labelled>
  );
}

type TextProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string;
  onChange(value: string): void;
};

export function TextField({ label, onChange, className, ...props }: TextProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <input
        id={id}
        autoComplete="off"
        {...props}
        className={classes('field', className)}
        onChange={({ target }) => onChange(target.value)}
      />
    </Labelled>
  );
}
