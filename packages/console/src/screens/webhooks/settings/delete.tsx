import type { Webhook } from '@parley/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Confirm } from '../../../ui/forms/confirm.tsx';

export function DeleteWebhook({ webhook, label }: { webhook: Webhook; label: string }) {
  const { webhooks: t, common } = useTexts();
  const { id: workspaceId, client, can } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const run = async (): Promise<void> => {
    await client.webhooks.delete(webhook.id);
    await navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId } });
    cache.removeQueries({ queryKey: [workspaceId, 'webhook', webhook.id] });
    await cache.invalidateQueries({ queryKey: [workspaceId, 'webhooks'] });
  };
  return (
    <>
      <Button
        kind="danger"
        reason={can('webhooks:write') ? undefined : common.missingScope('webhooks:write')}
        onClick={() => setAsks(true)}
      >
        {label}
      </Button>
      <Confirm
        title={label}
        about={t.deleteAbout}
        typed={URL.parse(webhook.url)?.host ?? webhook.url}
        action={label}
        isOpen={asks}
        close={() => setAsks(false)}
        run={run}
      />
    </>
  );
}
