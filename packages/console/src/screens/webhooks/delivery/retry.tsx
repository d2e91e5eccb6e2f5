import type { Delivery } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Confirm } from '../../../ui/forms/confirm.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { resultOf, resultText } from './retry-result.ts';
import { useMissingScope } from '../../../ui/read-only.tsx';

interface Props {
  webhookId: string;
  delivery: Delivery;
}

/** Sends a delivery now, and shows the result. A delivery that succeeded is sent again after a question. */
export function RetryButton({ webhookId, delivery }: Props) {
  const { webhooks: t } = useTexts();
  const workspace = useWorkspace();
  const { id, client } = workspace;
  const cache = useQueryClient();
  const toast = useToast();
  const [asks, setAsks] = useState(false);
  const readAgain = (): void => {
    void cache.invalidateQueries({ queryKey: [id, 'deliveries'] });
    void cache.invalidateQueries({ queryKey: [id, 'webhook', webhookId] });
  };
  const watched = useMutation({
    mutationFn: (retried: Delivery) => resultOf(workspace, webhookId, retried),
    onSuccess: (result) => {
      readAgain();
      toast(resultText(t, result));
    },
  });
  const retry = async (): Promise<void> => {
    const retried = await client.webhooks.deliveries.retry(webhookId, delivery.id);
    readAgain();
    watched.mutate(retried);
  };
  const retried = useMutation({ mutationFn: retry });
  const missing = useMissingScope('webhooks:write');
  const isDelivered = delivery.state === 'succeeded';
  const isBusy = retried.isPending || watched.isPending;
  const error = retried.error ?? watched.error;
  return (
    <>
      <Button
        isSmall
        reason={missing}
        disabled={isBusy}
        onClick={() => (isDelivered ? setAsks(true) : retried.mutate())}
      >
        <RotateCw size={13} aria-hidden="true" />
        {isBusy ? t.retryRuns : isDelivered ? t.resend : t.retry}
      </Button>
      {!isBusy && watched.data && <span className="text-quiet">{resultText(t, watched.data)}</span>}
      {error && <Problem error={error} />}
      {asks && (
        <Confirm
          title={t.resendTitle}
          about={t.resendAbout}
          action={t.resend}
          isDangerous={false}
          close={() => setAsks(false)}
          run={retry}
        />
      )}
    </>
  );
}
