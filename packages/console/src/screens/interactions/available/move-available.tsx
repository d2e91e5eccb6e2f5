import type { Interaction } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { WindowButton } from '../../../ui/forms/window-button.tsx';
import { Modal } from '../../../ui/forms/dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { ModalForm } from '../../../ui/forms/modal-form.tsx';
import { localField } from './local-field.ts';

interface Props {
  interaction: Interaction;
  missing: string | undefined;
}

/** Says from when customers see an interaction that has not started. */
export function MoveAvailable({ interaction, missing }: Props) {
  const { interactions: t } = useTexts();
  if (interaction.status !== 'Draft' && interaction.status !== 'Pending') return null;
  return (
    <WindowButton reason={missing} window={(close) => <MoveForm interaction={interaction} close={close} />}>
      {t.moveAvailable}
    </WindowButton>
  );
}

function MoveForm({ interaction, close }: { interaction: Interaction; close(): void }) {
  const { interactions: t, common } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const cache = useQueryClient();
  const [from, setFrom] = useState(localField(interaction.availableFrom));
  const moved = useMutation({
    mutationFn: () =>
      client.interactions.update(interaction.id, {
        availableFrom: from === '' ? null : new Date(from).toISOString(),
      }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: [workspaceId, 'interaction', interaction.id] });
      close();
    },
  });
  return (
    <Modal title={t.moveAvailable} about={t.moveAbout} close={close}>
      <ModalForm sending={moved} action={common.save} close={close}>
        <TextField type="datetime-local" label={t.availableFrom} value={from} onChange={setFrom} />
      </ModalForm>
    </Modal>
  );
}
