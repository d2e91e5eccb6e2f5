import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Problem } from '../problem.tsx';
import { Button } from './button.tsx';

export type Sending = Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;

interface Props {
  sending: Sending;
  /** The words of the button. */
  action: ReactNode;
  kind?: 'primary' | 'danger';
  icon?: ReactNode;
  isReady?: boolean;
  close(): void;
  children?: ReactNode;
}

/** The form in a window: its fields, the failure, and the buttons. Sends once at a time. */
export function ModalForm({
  sending,
  action,
  kind = 'primary',
  icon,
  isReady = true,
  close,
  children,
}: Props) {
  const { common } = useTexts();
  const { mutate, isPending, error } = sending;
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending) mutate();
      }}
    >
      {children}
      {error && <Problem error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={close}>{common.cancel}</Button>
        <Button type="submit" kind={kind} disabled={isPending || !isReady}>
          {icon}
          {isPending ? common.working : action}
        </Button>
      </div>
    </form>
  );
}
