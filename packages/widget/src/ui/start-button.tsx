import { useState } from 'preact/hooks';
import type { Talk } from '../model.ts';
import { useLanguage } from './language-context.ts';

/** Starts a talk or goes on with it: nothing else does. */
export function StartButton({ label, talk, isOffline }: { label: string; talk: Talk; isOffline: boolean }) {
  const { say } = useLanguage();
  const [isPressed, setPressed] = useState(false);
  const isBusy = isPressed && !isOffline;
  const start = () => {
    if (isBusy) return;
    setPressed(true);
    talk.start();
  };
  return (
    <button class="primary wide" type="button" aria-disabled={isBusy} onClick={start}>
      {isBusy ? `${say('loading')}…` : label}
    </button>
  );
}
