import type { Interaction } from '@parley/client';
import { ExternalLink } from 'lucide-react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button, buttonClass } from '../../../ui/forms/button.tsx';
import { QrButton } from '../../../ui/qr/qr-window.tsx';
import { EmailBlockButton } from './email-block.tsx';

// Who opens the link acts as the customer.
export function LinkButtons({
  interaction,
  missing,
}: {
  interaction: Interaction;
  missing: string | undefined;
}) {
  const { interactions: t } = useTexts();
  const { client } = useWorkspace();
  const content = (
    <>
      <ExternalLink size={15} aria-hidden="true" />
      {t.openLink}
    </>
  );
  return (
    <>
      {missing === undefined ? (
        <a className={buttonClass()} href={interaction.link} target="_blank" rel="noreferrer">
          {content}
        </a>
      ) : (
        <Button reason={missing}>{content}</Button>
      )}
      {(interaction.status === 'Draft' || interaction.status === 'Pending') && (
        <EmailBlockButton interaction={interaction} />
      )}
      <QrButton
        title={interaction.customerId}
        url={interaction.link}
        reason={missing}
        load={(format) => client.interactions.qr(interaction.id, { format })}
      />
    </>
  );
}
