import type { Role } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { ShownOnce } from '../../ui/forms/shown-once.tsx';
import { roles } from './roles.ts';

/** Invites a person, and shows the link once: Parley sends no mail. */
export function InviteMember({ close }: { close(): void }) {
  const { access: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [personalData, setPersonalData] = useState(false);
  const invited = useMutation({
    mutationFn: () => client.members.invite({ email, role, personalData }),
    onSuccess: () => cache.invalidateQueries({ queryKey: [id, 'members'] }),
  });
  return (
    <Modal
      title={t.invite}
      about={invited.data ? t.inviteOnce : t.inviteAbout}
      isHeld={invited.data !== undefined || invited.isPending}
      close={close}
    >
      {invited.data ? (
        <ShownOnce shown={[{ label: t.invitationLink, text: invited.data.url }]} close={close} />
      ) : (
        <ModalForm sending={invited} action={t.invite} close={close}>
          <TextField type="email" label={t.email} value={email} onChange={setEmail} required />
          <SelectField
            label={t.role}
            value={role}
            options={roles.map((value) => ({ value, label: t.roles[value] }))}
            onChange={(value) => setRole(value as Role)}
          />
          <CheckField
            label={t.personalData}
            about={t.personalDataAbout}
            checked={personalData}
            onChange={setPersonalData}
          />
        </ModalForm>
      )}
    </Modal>
  );
}
