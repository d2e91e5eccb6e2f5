import type { Interaction } from '@parley/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { startTransition, useEffect, useState } from 'react';
import { draftsQuery, useBots, versionsQuery } from '../../data/bots.ts';
import { nameIn } from '../../data/customer-names.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { buttonClass } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy.tsx';
import { Modal } from '../../ui/forms/dialog.tsx';
import { ModalForm } from '../../ui/forms/modal-form.tsx';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { QrCodeOf } from '../../ui/qr/qr-window.tsx';

/** The customer of test interactions that a person creates beside a bot. */
const testCustomer = 'test';

/** The pause in typing after which a customer is looked up. */
const settledMs = 300;

/** Asks for customer and bot. With `triedBotId`, it makes a test interaction of this bot. */
export function CreateInteraction({ triedBotId, close }: { triedBotId?: string; close(): void }) {
  const { interactions: t, bots: words } = useTexts();
  const { client, id } = useWorkspace();
  const cache = useQueryClient();
  const { data: bots = [] } = useBots();
  const isTried = triedBotId !== undefined;
  const [customerId, setCustomerId] = useState(isTried ? testCustomer : '');
  const [chosen, setChosen] = useState(triedBotId);
  const [isTest, setTest] = useState(isTried);
  const [from, setFrom] = useState('');
  const botId = chosen ?? bots[0]?.id ?? '';
  const created = useMutation({
    mutationFn: () => {
      const wanted = { customerId: customerId.trim(), botId, status: 'Pending' } as const;
      const availableFrom = from === '' ? undefined : new Date(from).toISOString();
      return client.interactions.create({
        ...wanted,
        ...(availableFrom !== undefined && { availableFrom }),
        ...(isTest && { isTest }),
      });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: [id, 'interactions'] }),
  });
  return (
    <Modal
      title={isTried ? words.tryIt : t.create}
      about={isTried ? t.tryAbout : t.createAbout}
      close={close}
    >
      {created.data ? (
        <Created interaction={created.data} close={close} />
      ) : (
        <ModalForm
          sending={created}
          action={isTried ? t.createTest : t.create}
          isReady={botId !== ''}
          close={close}
        >
          <TextField label={t.customerId} value={customerId} onChange={setCustomerId} required />
          {!(isTried && customerId === testCustomer) && <Found id={customerId.trim()} />}
          {!isTried && (
            <>
              <SelectField
                label={t.bot}
                value={botId}
                options={bots.map((bot) => ({ value: bot.id, label: bot.name }))}
                onChange={setChosen}
              />
              <TextField type="datetime-local" label={t.availableFromField} value={from} onChange={setFrom} />
              <CheckField label={t.asTest} about={t.asTestAbout} checked={isTest} onChange={setTest} />
            </>
          )}
          {isTest && botId !== '' && <TriedVersion botId={botId} />}
        </ModalForm>
      )}
    </Modal>
  );
}

/** Says who has the id, or that the interaction makes a new customer: a typing error would, too. */
function Found({ id }: { id: string }) {
  const { interactions: t } = useTexts();
  const { id: workspaceId, client, can } = useWorkspace();
  const settled = useSettled(id);
  const { data, error } = useQuery({
    queryKey: [workspaceId, 'customers', 'found', settled],
    queryFn: async ({ signal }) => (await client.customers.list({ ids: settled }, { signal })).data,
    // The API takes no id with a comma in a list of them.
    enabled: settled !== '' && !settled.includes(',') && can('customers:read'),
  });
  if (id === '' || id !== settled || !data || error) return null;
  const [customer] = data;
  return (
    <p role="status" className={customer ? 'text-good' : 'text-warn'}>
      {customer ? t.customerFound(nameIn(customer) ?? customer.id, customer.email) : t.customerIsNew}
    </p>
  );
}

/** Says which version a test has: a draft is not live yet. */
function TriedVersion({ botId }: { botId: string }) {
  const { interactions: t } = useTexts();
  const workspace = useWorkspace();
  const enabled = workspace.can('bots:read');
  const { data: versions } = useQuery({ ...versionsQuery(workspace, botId), enabled });
  const { data: drafts } = useQuery({ ...draftsQuery(workspace), enabled, staleTime: 0 });
  const live = versions?.find(({ isLive }) => isLive)?.version;
  if (live === undefined || !drafts) return null;
  const hasDraft = drafts.some((draft) => draft.botId === botId);
  return (
    <p role="status" className={hasDraft ? 'text-warn' : 'text-quiet'}>
      {hasDraft ? t.triesWithoutDraft(live) : t.triesLive(live)}
    </p>
  );
}

function Created({ interaction, close }: { interaction: Interaction; close(): void }) {
  const { interactions: t } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  return (
    <div className="space-y-4">
      <p>{interaction.isTest ? t.testCreated : t.created(interaction.customerId)}</p>
      <p className="flex items-center gap-2 rounded-md bg-raised p-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{interaction.link}</code>
        <CopyButton text={interaction.link} label={t.copyLink} />
      </p>
      {interaction.isTest && (
        <QrCodeOf
          title={interaction.customerId}
          url={interaction.link}
          load={(format) => client.interactions.qr(interaction.id, { format })}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {interaction.isTest && (
          <a className={buttonClass('primary')} href={interaction.link} target="_blank" rel="noreferrer">
            {t.openLink}
          </a>
        )}
        <Link
          to="/w/$workspaceId/interactions/$interactionId"
          params={{ workspaceId, interactionId: interaction.id }}
          className={buttonClass(interaction.isTest ? 'secondary' : 'primary')}
          onClick={close}
        >
          {t.open}
        </Link>
      </div>
    </div>
  );
}

/** Returns a text after a pause in its changes. What is shown of it then gives way to the next key. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(text)), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
