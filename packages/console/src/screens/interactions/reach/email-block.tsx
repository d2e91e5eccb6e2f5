import type { Interaction } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { EmailPreview } from '../../../ui/email/email-preview.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Modal } from '../../../ui/forms/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { SkeletonLines } from '../../../ui/states.tsx';
import { useToast } from '../../../ui/toast.tsx';

/** Opens a window with the first question as a block for an e-mail. */
export function EmailBlockButton({ interaction }: { interaction: Interaction }) {
  const { links: t, common } = useTexts();
  const { can } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const scope = (['interactions:write', 'personal-data:read'] as const).find((one) => !can(one));
  return (
    <>
      <Button reason={scope && common.missingScope(scope)} onClick={() => setOpen(true)}>
        <Mail size={15} aria-hidden="true" />
        {t.email}
      </Button>
      {isOpen && <EmailBlockWindow id={interaction.id} close={() => setOpen(false)} />}
    </>
  );
}

function EmailBlockWindow({ id, close }: { id: string; close(): void }) {
  const { links: t, common } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const toast = useToast();
  const { data, error } = useQuery({
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
    <Modal title={t.email} about={t.emailAbout} isOpen isWide close={close}>
      {error && <Problem error={error} />}
      {!data && !error && <SkeletonLines label={common.loading} />}
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
