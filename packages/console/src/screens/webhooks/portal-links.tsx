import type { PortalLink } from '@parley/client';
import { portalLimits } from '@parley/contracts/limits';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/forms/window-button.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ReadOnlyForm } from '../../ui/forms/read-only-form.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';
import { ShownOnce } from '../../ui/forms/shown-once.tsx';
import { Time } from '../../ui/time.tsx';
import { QueryState } from '../../ui/loading.tsx';

const hourSeconds = 3_600;

interface Props {
  /** The only webhook that a new link shows. */
  webhookId: string;
  close(): void;
}

/** Makes links by which a receiver's people see the webhook without an account, and revokes them. */
export function PortalLinks({ webhookId, close }: Props) {
  const { portal: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [hours, setHours] = useState('8');
  const made = useMutation({
    mutationFn: () => {
      const expiresInSeconds = Math.round(Number(hours) * hourSeconds);
      return client.webhooks.portalLinks.create({ name, webhookIds: [webhookId], expiresInSeconds });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: [id, 'portal-links'] }),
  });
  const missing = useMissingScope('webhooks:write');
  return (
    <Modal
      title={t.share}
      about={made.data ? t.once : t.createAbout}
      isHeld={made.data !== undefined || made.isPending}
      close={close}
    >
      {made.data ? (
        // The list stays: the next link may be for somebody else.
        <ShownOnce shown={[{ label: t.link, text: made.data.url }]} close={made.reset} />
      ) : (
        <ReadOnlyForm sending={made} action={t.create} missing={missing}>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label={t.name} value={name} onChange={setName} />
            <TextField
              label={t.hours}
              type="number"
              min={1}
              max={portalLimits.expiresInSecondsMax / hourSeconds}
              required
              value={hours}
              onChange={setHours}
            />
          </div>
        </ReadOnlyForm>
      )}
      <LinkList webhookId={webhookId} />
    </Modal>
  );
}

function LinkList({ webhookId }: { webhookId: string }) {
  const { portal: t } = useTexts();
  const { id, client } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'portal-links'],
    queryFn: async ({ signal }) => (await client.webhooks.portalLinks.list({ limit: 50 }, { signal })).data,
  });
  const links = data?.filter(({ webhookIds }) => webhookIds === null || webhookIds.includes(webhookId));
  return (
    <section aria-label={t.links} className="mt-6 border-t border-line pt-4">
      <h3 className="mb-2 font-medium">{t.links}</h3>
      <QueryState query={{ data, error, refetch }} count={2} />
      {links?.length === 0 && <p className="text-quiet">{t.noLinks}</p>}
      <ul className="divide-y divide-line">
        {links?.map((link) => (
          <LinkRow key={link.id} link={link} />
        ))}
      </ul>
    </section>
  );
}

function LinkRow({ link }: { link: PortalLink }) {
  const { portal: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const missing = useMissingScope('webhooks:write');
  const revoke = async (): Promise<void> => {
    await client.webhooks.portalLinks.revoke(link.id);
    await cache.invalidateQueries({ queryKey: [id, 'portal-links'] });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="break-words">{link.name === '' ? '–' : link.name}</p>
        <p className="text-xs text-quiet">
          {link.webhookIds === null && `${t.allWebhooks} · `}
          {t.untilEnd} <Time at={link.expiresAt} />
        </p>
      </div>
      <LinkState link={link} />
      {link.revokedAt === null && (
        <ConfirmButton
          isSmall
          reason={missing}
          confirm={{ title: t.revoke, about: t.revokeAbout, action: t.revoke, run: revoke }}
        >
          {t.revoke}
        </ConfirmButton>
      )}
    </li>
  );
}

function LinkState({ link: { usedAt, revokedAt } }: { link: PortalLink }) {
  const { portal: t } = useTexts();
  if (revokedAt !== null) return <Badge tone="bad">{t.revoked}</Badge>;
  return usedAt === null ? <Badge>{t.unopened}</Badge> : <Badge tone="good">{t.opened}</Badge>;
}
