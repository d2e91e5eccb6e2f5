import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { TextField } from '../../ui/forms/field.tsx';

function keyOf(name: string): string {
  // In capitals, ß is SS.
  const plain = name.toUpperCase().normalize('NFKD').toLowerCase();
  return plain
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

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

function starter(key: string, name: string, locale: string, question: string) {
  const steps = [
    { id: 'rating', kind: 'ask', text: question, input: { type: 'rating' }, evaluation: 'rating' },
    { id: 'bye', kind: 'end' },
  ];
  return { schemaVersion: 1, key, name, type: 'Feedback', locale, evaluation: { rating: {} }, steps };
}
