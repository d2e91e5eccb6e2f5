import type { ComponentChildren } from 'preact';
import type { FieldProps } from '../question-field.ts';
import { moveByArrows } from '../../dom/focus.ts';

/** A group of buttons; a single press answers. Arrow keys only move the focus among them. */
export function AnswerButtons(props: {
  kind: string;
  tag?: string;
  aria: FieldProps['aria'];
  children: ComponentChildren;
}) {
  const { kind, tag, aria, children } = props;
  const { 'aria-labelledby': labelledBy, 'aria-describedby': describedBy } = aria;
  return (
    <div
      class={kind}
      role="group"
      lang={tag}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onKeyDown={moveByArrows}
    >
      {children}
    </div>
  );
}

/** One of these buttons. `isChosen`: it is pending, or the bot's suggestion. */
export function AnswerButton(props: {
  label?: string;
  isChosen: boolean;
  isLit?: boolean | undefined;
  isBusy: boolean;
  onPress(): void;
  children: ComponentChildren;
}) {
  const { label, isChosen, isLit = isChosen, isBusy, onPress, children } = props;
  return (
    <button
      class={isLit ? 'face lit' : 'face'}
      type="button"
      dir={label === undefined ? 'auto' : undefined}
      aria-label={label}
      aria-current={isChosen ? 'true' : undefined}
      aria-disabled={isBusy}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
