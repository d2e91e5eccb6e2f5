import type { Webhook } from '@parley/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { ConfirmButton } from '../../../ui/forms/window-button.tsx';
import { useMissingScope } from '../../../ui/read-only.tsx';

export function DeleteWebhook({ webhook, label }: { webhook: Webhook; label: string }) {
  const { webhooks: t } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const missing = useMissingScope('webhooks:write');
  const run = async (): Promise<void> => {
    await client.webhooks.delete(webhook.id);
    await navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId } });
    cache.removeQueries({ queryKey: [workspaceId, 'webhook', webhook.id] });
    await cache.invalidateQueries({ queryKey: [workspaceId, 'webhooks'] });
  };
  return (
    <ConfirmButton
      kind="danger"
      reason={missing}
      confirm={{
        title: label,
        about: t.deleteAbout,
        typed: URL.parse(webhook.url)?.host ?? webhook.url,
        action: label,
        run,
      }}
    >
      {label}
    </ConfirmButton>
  );
}
