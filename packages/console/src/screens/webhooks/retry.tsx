import type { Delivery } from '@parley/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace, type Workspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useCauseOf } from './cause.ts';

/** How often, and how many times, the result of a retry is looked for. An attempt takes at most half a minute. */
const lookMs = 1_000;
const looksMax = 45;

interface Props {
  webhookId: string;
  delivery: Delivery;
}

/** Sends a delivery now, and shows the result. A delivery that succeeded is sent again after a question. */
export function RetryButton({ webhookId, delivery }: Props) {
  const { webhooks: t, common } = useTexts();
  const workspace = useWorkspace();
  const { id, client, can } = workspace;
  const cache = useQueryClient();
  const toast = useToast();
  const resultText = useResultText();
  const [asks, setAsks] = useState(false);
  const readAgain = (): void => {
    void cache.invalidateQueries({ queryKey: [id, 'deliveries'] });
    void cache.invalidateQueries({ queryKey: [id, 'webhook', webhookId] });
  };
  const watched = useMutation({
    mutationFn: (retried: Delivery) => resultOf(workspace, webhookId, retried),
    onSuccess: (result) => {
      readAgain();
      toast(resultText(result));
    },
  });
  const retry = async (): Promise<void> => {
    const retried = await client.webhooks.deliveries.retry(webhookId, delivery.id);
    readAgain();
    watched.mutate(retried);
  };
  const retried = useMutation({ mutationFn: retry });
  const missing = can('webhooks:write') ? undefined : common.missingScope('webhooks:write');
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
      {!isBusy && watched.data && <span className="text-quiet">{resultText(watched.data)}</span>}
      {error && <Problem error={error} />}
      <Confirm
        title={t.resendTitle}
        about={t.resendAbout}
        action={t.resend}
        isDangerous={false}
        isOpen={asks}
        close={() => setAsks(false)}
        run={retry}
      />
    </>
  );
}

/** Returns a delivery after the attempt that a retry has requested, or as it is if the attempt has to wait. */
async function resultOf({ client }: Workspace, webhookId: string, retried: Delivery): Promise<Delivery> {
  let delivery = retried;
  for (let looks = 0; looks < looksMax; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    delivery = await client.webhooks.deliveries.get(webhookId, retried.id);
    if (delivery.state !== 'pending' || delivery.attempts > retried.attempts) break;
  }
  return { ...delivery, attempts: delivery.attempts - retried.attempts };
}

/** Returns a function that describes the result of a retry. `attempts` are the attempts since. */
function useResultText(): (result: Delivery) => string {
  const { webhooks: t } = useTexts();
  const causeOf = useCauseOf();
  return ({ state, attempts, lastError }) => {
    if (state === 'succeeded') return t.retryDelivered;
    if (attempts > 0 && lastError !== null) return t.retryFailed(causeOf(lastError));
    return state === 'pending' ? t.retryWaits : t.states[state];
  };
}
