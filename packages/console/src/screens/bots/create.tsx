import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { keyOf, starter } from './starter.ts';

/** Creates a bot with one question, and opens it in the editor. */
export function CreateBot({ close }: { close(): void }) {
  const { bots: t } = useTexts();
  const { language } = useLanguage();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [chosenKey, setKey] = useState<string>();
  const key = chosenKey ?? keyOf(name);
  const created = useMutation({
    mutationFn: () => client.bots.create(starter(key, name, language, t.starterQuestion)),
    onSuccess: async (bot) => {
      void cache.invalidateQueries({ queryKey: [id, 'bots'] });
      await navigate({
        to: '/w/$workspaceId/bots/$botId/edit',
        params: { workspaceId: id, botId: bot.id },
      });
    },
  });
  return (
    <Modal title={t.create} about={t.createAbout} isOpen close={close}>
      <ModalForm sending={created} action={t.create} close={close}>
        <TextField label={t.name} value={name} onChange={setName} required />
        <TextField label={t.key} value={key} onChange={setKey} required spellCheck={false} />
      </ModalForm>
    </Modal>
  );
}
