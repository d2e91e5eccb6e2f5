import { type ComponentProps, type MouseEvent, useId } from 'react';
import { classes } from '../classes.ts';
import { useToast } from '../toast.tsx';

type Kind = 'primary' | 'secondary' | 'danger' | 'quiet';

const kinds: Record<Kind, string> = {
  primary: 'border-transparent bg-accent text-accent-ink hover:opacity-90',
  secondary: 'border-strong-line bg-panel text-ink hover:bg-raised',
  danger: 'border-bad bg-panel text-bad hover:bg-bad-soft',
  quiet: 'border-transparent text-ink hover:bg-raised',
};

/** The classes of a button, also for a link that looks like one. */
export function buttonClass(kind: Kind = 'secondary', isSmall = false): string {
  return classes(
    'inline-flex items-center justify-center gap-1.5 rounded-md border py-1 font-medium',
    // A long one has several lines on a phone.
    'max-w-full whitespace-nowrap max-sm:whitespace-normal',
    'disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 transition-colors',
    isSmall ? 'min-h-8 min-w-8 px-2.5 text-xs' : 'min-h-9 min-w-9 px-3 text-sm',
    kinds[kind],
  );
}

interface Props extends ComponentProps<'button'> {
  kind?: Kind;
  isSmall?: boolean;
  /** Why the button cannot be used. It stays in the order of the keyboard, and says this. */
  reason?: string | undefined;
}

/** A button. The second click of a double click does nothing, so that an action does not run twice. */
export function Button({ kind, isSmall, reason, className, onClick, children, ...props }: Props) {
  const reasonId = useId();
  const toast = useToast();
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    if (reason === undefined && event.detail <= 1) return onClick?.(event);
    event.preventDefault();
    // Fingers and keyboards do not see a title.
    if (reason !== undefined) toast(reason);
  };
  return (
    <button
      type="button"
      {...props}
      title={reason ?? props.title}
      aria-disabled={reason !== undefined || undefined}
      aria-describedby={reason === undefined ? props['aria-describedby'] : reasonId}
      onClick={click}
      className={classes(buttonClass(kind, isSmall), className)}
    >
      {children}
      {reason !== undefined && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </button>
  );
}
