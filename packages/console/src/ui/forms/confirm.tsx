import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Modal } from './dialog.tsx';
import { ModalForm } from './modal-form.tsx';
import { TextField } from './field.tsx';

interface Props {
  title: string;
  about: ReactNode;
  /** What must be typed. Undefined: a click is enough. */
  typed?: string | undefined;
  action: string;
  isDangerous?: boolean;
  close(): void;
  run(): Promise<unknown>;
}

/** Asks before something is done that cannot be undone. Shows the failure, and stays open then. */
export function Confirm({ title, about, typed, action, isDangerous = true, close, run }: Props) {
  const { common } = useTexts();
  const [text, setText] = useState('');
  const done = useMutation({ mutationFn: run, onSuccess: close });
  return (
    <Modal title={title} about={about} close={close}>
      <ModalForm
        sending={done}
        action={action}
        kind={isDangerous ? 'danger' : 'primary'}
        isReady={typed === undefined || text === typed}
        close={close}
      >
        {typed !== undefined && (
          <TextField label={common.typeToConfirm(typed)} value={text} onChange={setText} spellCheck={false} />
        )}
      </ModalForm>
    </Modal>
  );
}
