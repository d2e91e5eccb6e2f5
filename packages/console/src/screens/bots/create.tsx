import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { templatesQuery } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useLanguage, useTexts } from '../../texts/texts.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { keyOf, starter } from './starter.ts';
import { templateWords } from './template-words.ts';

/** Creates a bot with one question or from a template, and opens it in the editor. */
export function CreateBot({ close }: { close(): void }) {
  const { bots: t } = useTexts();
  const { language } = useLanguage();
  const workspace = useWorkspace();
  const { id, client } = workspace;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const templates = useQuery(templatesQuery(workspace, language));
  const [templateId, setTemplate] = useState('');
  const template = templates.data?.find((one) => one.id === templateId);
  const [chosenName, setName] = useState<string>();
  const name = chosenName ?? template?.name ?? '';
  const [chosenKey, setKey] = useState<string>();
  const key = chosenKey ?? keyOf(name);
  const first = starter(key, name, language, t.starterQuestion);
  const created = useMutation({
    mutationFn: () =>
      client.bots.create(templateId === '' ? first : { template: templateId, key, name, locale: language }),
    onSuccess: async (bot) => {
      void cache.invalidateQueries({ queryKey: [id, 'bots'] });
      await navigate({
        to: '/w/$workspaceId/bots/$botId/edit',
        params: { workspaceId: id, botId: bot.id },
      });
    },
  });
  const options = (templates.data ?? []).map((one) => ({ value: one.id, label: one.name }));
  return (
    <Modal title={t.create} about={t.createAbout} close={close}>
      <ModalForm sending={created} action={t.create} close={close}>
        <TextField label={t.name} value={name} onChange={setName} required />
        <SelectField
          label={t.template}
          value={templateId}
          options={[{ value: '', label: t.noTemplate }, ...options]}
          onChange={setTemplate}
        />
        {templates.error && <Problem error={templates.error} retry={() => void templates.refetch()} />}
        <TemplateWords {...(template ?? { description: t.starterAbout, definition: first })} />
        <TextField label={t.key} value={key} onChange={setKey} required spellCheck={false} />
      </ModalForm>
    </Modal>
  );
}

/** What a template is for, and its words. Its size stays: the window must not jump when another one is chosen. */
function TemplateWords(props: { description: string; definition: Record<string, unknown> }) {
  const { description, definition } = props;
  const { bots: t } = useTexts();
  const { language } = useLanguage();
  return (
    <section aria-label={t.templateWords} className="space-y-2">
      <p className="min-h-10 text-quiet max-sm:min-h-15">{description}</p>
      {/* A list that scrolls must be reachable by keyboard. */}
      <ol tabIndex={0} aria-label={t.templateWords} className="card h-40 space-y-2 overflow-y-auto p-3">
        {templateWords(definition, language).map(({ id, text, choices }) => (
          <li key={id}>
            {text}
            {choices.length > 0 && <span className="block text-xs text-quiet">{choices.join(' · ')}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
