import { X } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { Button } from '../../../../../ui/forms/button.tsx';
import { SettledField } from '../fields/small-controls.tsx';

interface Props {
  words: string;
  fallback: string;
  write(fallback: string): void;
  remove(): void;
  /** `isLeft`: the focus is elsewhere already. */
  close(isLeft: boolean): void;
}

/** What is shown when a value of a text is missing, and the removal of the value. */
export function ChipPanel({ words, fallback, write, remove, close }: Props) {
  const { steps: t } = useTexts();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector('input')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    if (event.key === 'Enter' && event.target instanceof HTMLButtonElement) return;
    event.stopPropagation();
    event.preventDefault();
    close(false);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) close(true);
  };
  return (
    <div
      ref={panel}
      role="group"
      aria-label={words}
      className="absolute inset-x-0 top-full z-20 mt-1 flex flex-wrap items-end gap-2 rounded-md border border-strong-line bg-panel p-3 shadow-lg"
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <div className="min-w-0 flex-1 basis-40">
        <SettledField label={t.fallback(words)} value={fallback} isLive onChange={write} />
      </div>
      <Button isSmall kind="quiet" aria-label={t.removeValue(words)} onClick={remove}>
        <X size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}
