import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { Suspense } from 'react';
import { draftsQuery, useUnpublished } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
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
  const { bots: t } = useTexts();
  const workspace = useWorkspace();
  const missing = useMissingScope('interactions:write');
  const enabled = workspace.can('bots:read');
  const { data: drafts } = useQuery({ ...draftsQuery(workspace), enabled });
  const isUnpublished = useUnpublished(drafts?.find((draft) => draft.botId === botId));
  const reason = missing ?? (isUnpublished ? t.notLiveAbout : undefined);
  return (
    <>
      <Button reason={reason} onClick={() => setOpen(true)}>
        <FlaskConical size={15} aria-hidden="true" />
        {words}
      </Button>
      <Suspense>{isOpen && <CreateDialog triedBotId={botId} close={() => setOpen(false)} />}</Suspense>
    </>
  );
}
