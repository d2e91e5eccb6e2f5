import { Button } from './button.tsx';

interface Props<Value extends string> {
  label: string;
  values: readonly Value[];
  value: Value;
  words: Record<Value, string>;
  onChange(value: NoInfer<Value>): void;
}

/** Buttons of which one is pressed: how something is shown. */
export function OneOf<Value extends string>({ label, values, value, words, onChange }: Props<Value>) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {values.map((one) => (
        <Button
          key={one}
          isSmall
          aria-pressed={one === value}
          kind={one === value ? 'secondary' : 'quiet'}
          onClick={() => onChange(one)}
        >
          {words[one]}
        </Button>
      ))}
    </div>
  );
}
