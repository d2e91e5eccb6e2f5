import type { EventName, Webhook } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { daysAgoIn, startOfDayIn, zoneOf } from '../../data/zone.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ShownOnce } from '../../ui/forms/shown-once.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { ConfirmButton, WindowButton } from '../../ui/forms/window-button.tsx';
import { eventsOf } from './wanted-events.ts';
import { useMissingScope } from '../../ui/read-only.tsx';

const route = getRouteApi('/w/$workspaceId/webhooks/$webhookId');

export function WebhookControls({ webhook }: { webhook: Webhook }) {
  const { webhooks: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const reason = useMissingScope('webhooks:write');
  const change = async (): Promise<void> => {
    const data = await client.webhooks.update(webhook.id, { isActive: !webhook.isActive });
    cache.setQueryData([id, 'webhook', webhook.id], data);
    void cache.invalidateQueries({ queryKey: [id, 'webhooks'] });
    void cache.invalidateQueries({ queryKey: [id, 'webhook', webhook.id] });
  };
  const { isActive } = webhook;
  const words = isActive ? t.turnOff : t.turnOn;
  const about = isActive ? t.turnOffAbout : t.turnOnAbout;
  return (
    <>
      <ConfirmButton
        reason={reason}
        confirm={{ title: words, about, action: words, isDangerous: isActive, run: change }}
      >
        {words}
      </ConfirmButton>
      <WindowButton reason={reason} window={(close) => <TestDialog webhook={webhook} close={close} />}>
        {t.test}
      </WindowButton>
      <WindowButton reason={reason} window={(close) => <RecoverDialog webhook={webhook} close={close} />}>
        {t.recover}
      </WindowButton>
      <WindowButton reason={reason} window={(close) => <SecretDialog webhook={webhook} close={close} />}>
        {t.newSecret}
      </WindowButton>
    </>
  );
}

interface DialogProps {
  webhook: Webhook;
  close(): void;
}

function TestDialog({ webhook, close }: DialogProps) {
  const { webhooks: t, names } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const [event, setEvent] = useState('');
  const [ignoreFilter, setIgnoreFilter] = useState(false);
  const sent = useMutation({
    mutationFn: () =>
      client.webhooks.sendTest(webhook.id, {
        ignoreFilter,
        ...(event !== '' && { event: event as EventName }),
      }),
    onSuccess: () => {
      toast(t.testSent);
      void cache.invalidateQueries({ queryKey: [id, 'webhook', webhook.id] });
      close();
    },
  });
  return (
    <Modal title={t.test} about={t.testAbout} close={close}>
      <ModalForm sending={sent} action={t.test} close={close}>
        <SelectField
          label={t.event}
          value={event}
          options={[
            { value: '', label: t.testEvent },
            ...eventsOf(webhook).map((value) => ({ value, label: names.events[value] })),
          ]}
          onChange={setEvent}
        />
        <CheckField
          label={t.ignoreFilter}
          about={t.ignoreFilterAbout}
          checked={ignoreFilter}
          onChange={setIgnoreFilter}
        />
      </ModalForm>
    </Modal>
  );
}

function RecoverDialog({ webhook, close }: DialogProps) {
  const { webhooks: t, common } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const zone = zoneOf(route.useSearch());
  const [since, setSince] = useState(daysAgoIn(zone, 1));
  const started = useMutation({
    mutationFn: () => client.webhooks.recover(webhook.id, { since: startOfDayIn(zone, since).toISOString() }),
    onSuccess: () => {
      toast(t.recovering);
      void cache.invalidateQueries({ queryKey: [id, 'webhook', webhook.id] });
      close();
    },
  });
  return (
    <Modal title={t.recover} about={t.recoverAbout} close={close}>
      <ModalForm sending={started} action={t.recover} isReady={since !== ''} close={close}>
        <TextField
          type="date"
          label={t.since}
          value={since}
          onChange={setSince}
          max={daysAgoIn(zone, 0)}
          required
        />
        <p className="text-quiet">
          {common.zone}: {zone}
        </p>
      </ModalForm>
    </Modal>
  );
}

/** Makes a new signing secret, and shows it once. */
function SecretDialog({ webhook, close }: DialogProps) {
  const { webhooks: t, common } = useTexts();
  const { client } = useWorkspace();
  const made = useMutation({ mutationFn: () => client.webhooks.rotateSigningSecret(webhook.id) });
  return (
    <Modal
      title={t.newSecret}
      about={made.data ? t.secretOnce : t.newSecretAbout}
      isHeld={made.data !== undefined || made.isPending}
      close={close}
    >
      {made.data ? (
        <ShownOnce shown={[{ label: t.signingSecret, text: made.data.signingSecret }]} close={close} />
      ) : (
        <div className="space-y-4">
          {made.error && <Problem error={made.error} />}
          <div className="flex justify-end gap-2">
            <Button disabled={made.isPending} onClick={close}>
              {common.cancel}
            </Button>
            <Button kind="danger" disabled={made.isPending} onClick={() => made.mutate()}>
              {made.isPending ? common.working : t.newSecret}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
