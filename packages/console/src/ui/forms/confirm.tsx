import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from './button.tsx';
import { Modal } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Problem } from '../problem.tsx';

interface Props {
  title: string;
  about: ReactNode;
  /** What must be typed. Undefined: a click is enough. */
  typed?: string | undefined;
  action: string;
  isDangerous?: boolean;
  isOpen: boolean;
  close(): void;
  run(): Promise<unknown>;
}

/** Asks before something is done that cannot be undone. Shows the failure, and stays open then. */
export function Confirm({ title, about, typed, action, isDangerous = true, isOpen, close, run }: Props) {
  const { common } = useTexts();
  const [text, setText] = useState('');
  const done = useMutation({
    mutationFn: run,
    onSuccess: () => {
      setText('');
      close();
    },
  });
  const isReady = (typed === undefined || text === typed) && !done.isPending;
  return (
    <Modal title={title} about={about} isOpen={isOpen} close={close}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) done.mutate();
        }}
      >
        {typed !== undefined && (
          <TextField label={common.typeToConfirm(typed)} value={text} onChange={setText} spellCheck={false} />
        )}
        {done.error && <Problem error={done.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close}>{common.cancel}</Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} disabled={!isReady}>
            {done.isPending ? common.working : action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
