import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { isSessionOver } from '../../data/session/session.ts';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../classes.ts';

interface Props {
  title: string;
  about?: ReactNode;
  /** Whether only its content closes it: it shows what cannot be shown again. */
  isHeld?: boolean;
  /** It has more to read than to fill in, and begins with its head. */
  isWide?: boolean;
  close(): void;
  children?: ReactNode;
}

const fields = 'input:enabled, select:enabled, textarea:enabled';

/** A window above the screen. It holds the focus until it is closed, first in its first field. */
export function Modal({ title, about, isHeld = false, isWide = false, close: dismiss, children }: Props) {
  const { common } = useTexts();
  const close = (): void => {
    if (!isHeld) dismiss();
  };
  const popup = useRef<HTMLDivElement>(null);
  // On phones, a focused field opens the keyboard over the window.
  const firstField = (opened: string): HTMLElement | true =>
    (opened !== 'touch' && popup.current?.querySelector<HTMLElement>(fields)) || true;
  return (
    <Dialog.Root open onOpenChange={(open) => open || isSessionOver() || close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/45 print:hidden" />
        <Dialog.Popup
          ref={popup}
          initialFocus={isWide || firstField}
          className={classes(
            'card fixed top-1/2 left-1/2 z-50 max-h-[90dvh] -translate-1/2 overflow-y-auto p-5 shadow-2xl',
            isWide ? 'w-[min(64rem,calc(100vw-1rem))] max-sm:p-3' : 'w-[min(36rem,calc(100vw-2rem))]',
          )}
        >
          <div className="mb-3 flex items-start gap-3">
            <Dialog.Title className="flex-1 text-lg font-semibold break-words">{title}</Dialog.Title>
            {!isHeld && (
              <Dialog.Close aria-label={common.close} className="rounded p-1.5 hover:bg-raised">
                <X size={16} aria-hidden="true" />
              </Dialog.Close>
            )}
          </div>
          {about !== undefined && (
            <Dialog.Description render={<div />} className="mb-4 space-y-2 text-quiet">
              {about}
            </Dialog.Description>
          )}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
