import { useState } from 'preact/hooks';
import type { Stage, Talk } from '../../model.ts';
import { useLanguage } from '../language/language-context.ts';

/** Starts or resumes the conversation, or loads it again. */
export function StageButton(props: { talk: Talk; stage: Stage; isOffline: boolean; onStart: () => void }) {
  const { talk, stage, isOffline, onStart } = props;
  const { say } = useLanguage();
  if (stage === 'ready' || stage === 'resumable') {
    const label = say(stage === 'ready' ? 'start' : 'resume');
    return <StartButton key={stage} label={label} onStart={onStart} isOffline={isOffline} />;
  }
  if (stage !== 'loading' || !isOffline) return null;
  return (
    <button class="primary wide" type="button" onClick={() => talk.retry()}>
      {say('retry')}
    </button>
  );
}

/** Starts or resumes a conversation. Nothing else does. */
function StartButton(props: { label: string; isOffline: boolean; onStart(): void }) {
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
