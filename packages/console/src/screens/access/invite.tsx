import type { Role } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ShownOnce } from '../../ui/forms/shown-once.tsx';
import { roles } from './roles.ts';

/** Invites a person, and shows the link once: Parley sends no mail. */
export function InviteMember({ close }: { close(): void }) {
  const { access: t, common } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [personalData, setPersonalData] = useState(false);
  const invited = useMutation({
    mutationFn: () => client.members.invite({ email, role, personalData }),
    onSuccess: () => cache.invalidateQueries({ queryKey: [id, 'members'] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invited.mutate();
  };
  return (
    <Modal
      title={t.invite}
      about={invited.data ? t.inviteOnce : t.inviteAbout}
      isOpen
      isHeld={invited.data !== undefined || invited.isPending}
      close={close}
    >
      {invited.data ? (
        <ShownOnce shown={[{ label: t.invitationLink, text: invited.data.url }]} close={close} />
      ) : (
        <form onSubmit={submit} className="space-y-4">
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
          {invited.error && <Problem error={invited.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={close}>{common.cancel}</Button>
            <Button type="submit" kind="primary" disabled={invited.isPending}>
              {invited.isPending ? common.working : t.invite}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
