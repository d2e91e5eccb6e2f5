import type { Interaction } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { EmailPreview } from '../../../ui/email/email-preview.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Modal } from '../../../ui/forms/dialog.tsx';
import { WindowButton } from '../../../ui/forms/window-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { QueryState } from '../../../ui/loading.tsx';
import { useMissingScope } from '../../../ui/read-only.tsx';

/** Opens a window with the first question as a block for an e-mail. */
export function EmailBlockButton({ interaction }: { interaction: Interaction }) {
  const { links: t } = useTexts();
  const missing = useMissingScope('interactions:write', 'personal-data:read');
  return (
    <WindowButton reason={missing} window={(close) => <EmailBlockWindow id={interaction.id} close={close} />}>
      <Mail size={15} aria-hidden="true" />
      {t.email}
    </WindowButton>
  );
}

function EmailBlockWindow({ id, close }: { id: string; close(): void }) {
  const { links: t, common } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const toast = useToast();
  const { data, error, refetch } = useQuery({
    queryKey: [workspaceId, 'interaction', id, 'email-block'],
    queryFn: async ({ signal }) => {
      const read = (format: 'html' | 'text') => client.interactions.emailBlock(id, { format }, { signal });
      const [html, text] = await Promise.all([read('html'), read('text')]);
      return { html, text };
    },
    retry: false,
  });
  const copied = (): void => toast(common.copied);
  const copyFormatted = async ({ html, text }: { html: string; text: string }): Promise<void> => {
    const parts = { 'text/html': new Blob([html], { type: 'text/html' }), 'text/plain': text };
    await navigator.clipboard.write([new ClipboardItem(parts)]);
    copied();
  };
  return (
    <Modal title={t.email} about={t.emailAbout} isWide close={close}>
      <QueryState query={{ data, error, refetch }} />
      {data && (
        <>
          <EmailPreview {...data} />
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <Button onClick={() => void navigator.clipboard.writeText(data.html).then(copied)}>
              {t.copyHtml}
            </Button>
            <Button kind="primary" onClick={() => void copyFormatted(data)}>
              {t.copyFormatted}
            </Button>
          </div>
        </>
      )}
    </Modal>
  );
}
