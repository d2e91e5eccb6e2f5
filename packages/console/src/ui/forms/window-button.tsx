import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';

type ButtonProps = Omit<ComponentProps<typeof Button>, 'onClick'>;

interface WindowProps extends ButtonProps {
  /** Called while the window is open. */
  window(close: () => void): ReactNode;
}

/** A button that opens a window. */
export function WindowButton({ window, ...button }: WindowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && window(() => setOpen(false))}
    </>
  );
}

interface ConfirmProps extends ButtonProps {
  confirm: Omit<ComponentProps<typeof Confirm>, 'close'>;
}

/** A button whose action runs after a question. */
export function ConfirmButton({ confirm, ...button }: ConfirmProps) {
  return <WindowButton {...button} window={(close) => <Confirm {...confirm} close={close} />} />;
}
