import { useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { useToast } from '../../ui/toast.tsx';

interface Props {
  botId: string;
  version: number;
  /** The version that the person has seen to be live. */
  live: number;
  close(): void;
}

/** Publishes an older version again, unless somebody else has published one since. */
export function RestoreDialog({ botId, version, live, close }: Props) {
  const { bots: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const run = async (): Promise<void> => {
    const { version: published } = await client.bots.publishVersion(botId, {
      restore: version,
      expectedVersion: live,
    });
    toast(t.restoredAs(version, published));
    await cache.invalidateQueries({ queryKey: [id, 'bot', botId] });
  };
  return (
    <Confirm
      title={t.restoreTitle(version)}
      about={t.restoreAbout(live)}
      action={t.restore}
      isDangerous={false}
      close={close}
      run={run}
    />
  );
}
