import type { Webhook, WebhookOptions } from '@parley/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { webhookOptionsQuery, webhookQuery } from '../../../data/deliveries.ts';
import { mayNotChoose, useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ReadOnlyForm } from '../../../ui/forms/read-only-form.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useMissingScope } from '../../../ui/read-only.tsx';
import { ScreenHead, Section, SkeletonLines } from '../../../ui/states.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { DeleteWebhook } from './delete.tsx';
import { changeOf, type WebhookDraft, draftOf } from './draft.ts';
import { EventFields } from './event-fields.tsx';
import { SendingFields } from './sending-fields.tsx';

const route = getRouteApi('/w/$workspaceId/webhooks/$webhookId/settings');

export function WebhookSettings() {
  const { workspaceId, webhookId } = route.useParams();
  const { common, webhooks: t } = useTexts();
  const workspace = useWorkspace();
  const webhook = useQuery(webhookQuery(workspace, webhookId));
  const options = useQuery(webhookOptionsQuery(workspace, webhookId));
  const error = webhook.error ?? options.error;
  return (
    <>
      <ScreenHead title={t.settings}>
        <Link
          to="/w/$workspaceId/webhooks/$webhookId"
          params={{ workspaceId, webhookId }}
          className="link flex min-w-0 items-center gap-1.5"
        >
          <ArrowLeft size={15} aria-hidden="true" />
          <span className="truncate">{webhook.data?.url ?? t.title}</span>
        </Link>
      </ScreenHead>
      {error && <Problem error={error} />}
      {!error && !(webhook.data && options.data) && <SkeletonLines count={8} label={common.loading} />}
      {webhook.data && options.data && <Form webhook={webhook.data} options={options.data} />}
      {webhook.data && !workspace.portalWebhooks && (
        <div className="mt-8 border-t border-line pt-4">
          <DeleteWebhook webhook={webhook.data} label={t.delete} />
        </div>
      )}
    </>
  );
}

function Form({ webhook, options }: { webhook: Webhook; options: WebhookOptions }) {
  const { webhookSettings: s } = useTexts();
  const workspace = useWorkspace();
  const { id, client } = workspace;
  const cache = useQueryClient();
  const toast = useToast();
  const before = draftOf(webhook, options);
  const [edited, setEdited] = useState<Partial<WebhookDraft>>({});
  const draft = { ...before, ...edited };
  const change = changeOf(draft, before);
  const saved = useMutation({
    mutationFn: () => client.webhooks.updateOptions(webhook.id, change),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: [id, 'webhook', webhook.id] });
      void cache.invalidateQueries({ queryKey: [id, 'webhooks'] });
      setEdited({});
      toast(s.saved);
    },
  });
  const missing = useMissingScope('webhooks:write');
  const reasons = [Object.keys(change).length === 0 && s.unchanged, draft.events.length === 0 && s.noEvent];
  const set = (next: Partial<WebhookDraft>): void => setEdited((former) => ({ ...former, ...next }));
  const fields = { draft, options, set };
  return (
    <ReadOnlyForm
      sending={saved}
      action={s.save}
      missing={missing}
      reason={reasons.find((one) => one !== false)}
      aside={Object.keys(change).length > 0 && <Button onClick={() => setEdited({})}>{s.reset}</Button>}
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Section title={s.what}>
          <EventFields {...fields} isLimited={mayNotChoose(workspace)} />
        </Section>
        <Section title={s.how}>
          <SendingFields {...fields} />
        </Section>
      </div>
    </ReadOnlyForm>
  );
}
