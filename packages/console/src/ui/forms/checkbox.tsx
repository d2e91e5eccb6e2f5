interface Props {
  label: string;
  isChecked: boolean;
  /** Some of what it stands for is chosen. */
  isMixed?: boolean;
  /** `isRange`: with the shift key. */
  onToggle(isRange: boolean): void;
}

/** A box of a list. It is above the link that opens the row, and large enough for a finger. */
export function Checkbox({ label, isChecked, isMixed = false, onToggle }: Props) {
  return (
    <label className="relative z-1 -m-1.5 flex size-7 items-center justify-center select-none">
      <input
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        type="checkbox"
        aria-label={label}
        className="size-4"
        checked={isChecked}
        // The change has no keys.
        onChange={() => {}}
        onClick={({ shiftKey }) => onToggle(shiftKey)}
      />
    </label>
  );
}
