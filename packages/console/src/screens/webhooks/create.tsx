import type { EventName } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { CheckField, TextField } from '../../ui/forms/field.tsx';
import { EventChoice } from './settings/event-choice.tsx';

export function CreateWebhook({ close }: { close(): void }) {
  const { webhooks: t, webhookSettings: s } = useTexts();
  const { client, id: workspaceId } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [url, setUrl] = useState('');
  const [secretToken, setSecretToken] = useState('');
  const [events, setEvents] = useState<EventName[]>(['InteractionCompleted']);
  const [isActive, setActive] = useState(true);
  const created = useMutation({
    mutationFn: () => client.webhooks.create({ url, secretToken, events, isActive }),
    onSuccess: async ({ id: webhookId }) => {
      void cache.invalidateQueries({ queryKey: [workspaceId, 'webhooks'] });
      await navigate({
        to: '/w/$workspaceId/webhooks/$webhookId',
        params: { workspaceId, webhookId },
      });
    },
  });
  return (
    <Modal title={t.create} about={t.createAbout} close={close}>
      <ModalForm sending={created} action={t.create} isReady={events.length > 0} close={close}>
        <TextField
          type="url"
          label={s.url}
          placeholder="https://shop.example/parley"
          value={url}
          onChange={setUrl}
          required
        />
        <SecretToken value={secretToken} onChange={setSecretToken} isRequired />
        <EventChoice chosen={events} onChange={setEvents} />
        <CheckField label={s.isActive} checked={isActive} onChange={setActive} />
      </ModalForm>
    </Modal>
  );
}

interface SecretTokenProps {
  value: string;
  onChange(value: string): void;
  isRequired?: boolean;
}

/** The secret token, which the receiver finds in the URL of each delivery. */
export function SecretToken({ value, onChange, isRequired = false }: SecretTokenProps) {
  const { webhookSettings: s } = useTexts();
  const random = (): string =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    );
  return (
    <div>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={isRequired ? s.secretToken : s.newSecretToken}
            value={value}
            onChange={onChange}
            required={isRequired}
            spellCheck={false}
          />
        </div>
        <Button className="shrink-0" onClick={() => onChange(random())}>
          {s.random}
        </Button>
      </div>
      <p className="mt-1 text-xs text-quiet">{isRequired ? s.secretTokenAbout : s.newSecretTokenAbout}</p>
    </div>
  );
}
