import type { Customer } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, EyeOff, Trash2 } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmButton } from '../../ui/forms/window-button.tsx';
import { ProblemLine } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/forms/save-file.ts';
import { useToast } from '../../ui/toast.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';

/** What a person may ask for: the data, anonymity, or deletion. */
export function CustomerControls({ customer }: { customer: Customer }) {
  const { customers: t, common } = useTexts();
  const { id: workspaceId, client } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const missing = useMissingScope('customers:write');
  const refresh = useRefresh();
  const anonymise = async (): Promise<void> => {
    await client.customers.anonymise(customer.id);
    refresh();
    toast(t.anonymised);
  };
  const remove = async (): Promise<void> => {
    await client.customers.delete(customer.id);
    cache.removeQueries({ queryKey: [workspaceId, 'customer', customer.id] });
    refresh();
    toast(t.deleted);
    await navigate({
      to: '/w/$workspaceId/receipts',
      params: { workspaceId },
      search: { customer: customer.id },
    });
  };
  return (
    <>
      <ExportButton customerId={customer.id} />
      <ConfirmButton
        reason={missing}
        confirm={{
          title: t.anonymiseTitle,
          about: t.anonymiseAbout,
          typed: customer.id,
          action: t.anonymise,
          run: anonymise,
        }}
      >
        <EyeOff size={15} aria-hidden="true" />
        {t.anonymise}
      </ConfirmButton>
      <ConfirmButton
        kind="danger"
        reason={missing}
        confirm={{
          title: t.deleteTitle,
          about: t.deleteAbout(customer.interactions.length),
          typed: customer.id,
          action: common.delete,
          run: remove,
        }}
      >
        <Trash2 size={15} aria-hidden="true" />
        {common.delete}
      </ConfirmButton>
    </>
  );
}

function useRefresh(): () => void {
  const { id } = useWorkspace();
  const cache = useQueryClient();
  return () => {
    for (const name of ['customer', 'customers', 'erasures', 'interactions', 'interaction']) {
      void cache.invalidateQueries({ queryKey: [id, name] });
    }
  };
}

/** Saves everything that is stored about the person. */
function ExportButton({ customerId }: { customerId: string }) {
  const { customers: t, common } = useTexts();
  const { client } = useWorkspace();
  const toast = useToast();
  const saved = useMutation({
    mutationFn: async () => {
      const data = await client.customers.export(customerId);
      const text = JSON.stringify({ timeZone: 'UTC', ...data }, undefined, 2);
      saveFile(`customer-${customerId.replaceAll(/[^\w.-]/g, '_')}.json`, new Blob([text]));
    },
    onSuccess: () => toast(t.exported),
  });
  const missing = useMissingScope('customers:read', 'interactions:read', 'personal-data:read');
  return (
    <>
      {saved.error && <ProblemLine error={saved.error} />}
      <Button reason={missing} disabled={saved.isPending} onClick={() => saved.mutate()}>
        <Download size={15} aria-hidden="true" />
        {saved.isPending ? common.working : t.export}
      </Button>
    </>
  );
}
