import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Problem } from '../problem.tsx';
import { ReadOnly } from '../read-only.tsx';
import { Button } from './button.tsx';
import type { Sending } from './modal-form.tsx';

interface Props {
  sending: Sending;
  /** The words of the button. */
  action: string;
  /** Why the person may change nothing. */
  missing: string | undefined;
  /** Why there is nothing to send. */
  reason?: string | undefined;
  className?: string;
  /** Stands beside the button. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The form of a screen, which is read-only without the scope. Sends once at a time. */
export function ReadOnlyForm({ sending, action, missing, reason, className, aside, children }: Props) {
  const { common } = useTexts();
  const { mutate, isPending, error } = sending;
  const why = missing ?? reason;
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (why === undefined && !isPending) mutate();
      }}
    >
      <ReadOnly reason={missing}>
        <div className="space-y-4">
          {children}
          {error && <Problem error={error} />}
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" kind="primary" reason={why} disabled={isPending}>
              {isPending ? common.working : action}
            </Button>
            {aside}
          </div>
        </div>
      </ReadOnly>
    </form>
  );
}
