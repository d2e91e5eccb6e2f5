import { useState } from 'preact/hooks';
import { useLanguage } from '../language/language-context.ts';

/** Starts or resumes a conversation. Nothing else does. */
export function StartButton(props: { label: string; isOffline: boolean; onStart(): void }) {
  const { label, isOffline, onStart } = props;
  const { say } = useLanguage();
  const [isPressed, setPressed] = useState(false);
  const isBusy = isPressed && !isOffline;
  const start = () => {
    if (isBusy) return;
    setPressed(true);
    onStart();
  };
  return (
    <button class="primary wide" type="button" aria-disabled={isBusy} onClick={start}>
      {isBusy ? `${say('loading')}…` : label}
    </button>
  );
}
