import { FlaskConical } from 'lucide-react';
import { Suspense } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { part } from '../../ui/part.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';

const CreateDialog = part(() => import('../interactions/create.tsx'), 'CreateInteraction');

interface Props {
  botId: string;
  words: string;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Opens a window that makes a test interaction of a bot. */
export function TryButton({ botId, words, isOpen, setOpen }: Props) {
  const missing = useMissingScope('interactions:write');
  return (
    <>
      <Button reason={missing} onClick={() => setOpen(true)}>
        <FlaskConical size={15} aria-hidden="true" />
        {words}
      </Button>
      <Suspense>{isOpen && <CreateDialog triedBotId={botId} close={() => setOpen(false)} />}</Suspense>
    </>
  );
}
