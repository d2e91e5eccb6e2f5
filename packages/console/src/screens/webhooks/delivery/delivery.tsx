import type { Attempt, Delivery, DeliveryState } from '@parley/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { attemptsQuery } from '../../../data/deliveries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { hasTraces, traceAddress } from '../../../environment.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { buttonClass } from '../../../ui/forms/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Time, useDuration } from '../../../ui/time.tsx';
import { useCause } from './cause.ts';
import { RetryButton } from './retry.tsx';
import { SentBody } from './sent-body.tsx';

const tones: Record<DeliveryState, Tone> = {
  pending: 'warn',
  succeeded: 'good',
  failed: 'bad',
  skipped: 'quiet',
  discarded: 'quiet',
};

/** The state of a delivery in a word. A delivery that waits after a failure says so. */
export function DeliveryStateBadge({
  delivery: { state, lastError },
}: {
  delivery: Pick<Delivery, 'state' | 'lastError'>;
}) {
  const { webhooks: t } = useTexts();
  if (state === 'pending' && lastError !== null) return <Badge tone="warn">{t.retrying}</Badge>;
  return <Badge tone={tones[state]}>{t.states[state]}</Badge>;
}

interface Props {
  webhookId: string;
  delivery: Delivery;
}

/** The state of a delivery, each attempt with the answer and the cause of a failure, and what can be done. */
export function DeliveryDetails({ webhookId, delivery }: Props) {
  const { webhooks: t } = useTexts();
  const { state, dueAt, traceId } = delivery;
  return (
    <div className="mt-1.5 space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <DeliveryStateBadge delivery={delivery} />
        {dueAt !== null && state === 'pending' && (
          <span className="text-quiet">
            {t.nextAttempt} <Time at={dueAt} isExact />
          </span>
        )}
        <RetryButton webhookId={webhookId} delivery={delivery} />
        {hasTraces && traceId !== null && (
          <a
            className={buttonClass('quiet', true)}
            href={traceAddress(traceId)}
            target="_blank"
            rel="noreferrer"
          >
            <ExternalLink size={13} aria-hidden="true" />
            {t.trace}
          </a>
        )}
      </div>
      <SentBody webhookId={webhookId} delivery={delivery} />
      <Attempts webhookId={webhookId} delivery={delivery} />
    </div>
  );
}

/** The attempts, newest first as all of the log. */
function Attempts({ webhookId, delivery }: Props) {
  const { webhooks: t } = useTexts();
  const workspace = useWorkspace();
  const { data, error, refetch } = useQuery({
    ...attemptsQuery(workspace, webhookId, delivery),
    enabled: delivery.attempts > 0 || delivery.state === 'pending',
    // What is unfolded stays so while a further attempt is loaded.
    placeholderData: keepPreviousData,
  });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (delivery.attempts === 0 && !data?.length) return <p className="text-quiet">{t.noAttempts}</p>;
  if (!data) return <Skeleton className="h-4 w-40" />;
  return (
    <ol reversed aria-label={t.attempts} className="space-y-2">
      {data.map((attempt) => (
        <li key={attempt.startedAt}>
          <AttemptLine attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { webhooks: t } = useTexts();
  const duration = useDuration();
  const cause = useCause(attempt);
  const { number, startedAt, durationMs, responseExcerpt, error, isCounted } = attempt;
  return (
    <div className="rounded-md border border-line p-2.5">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <span className="font-medium">{t.attempt(number)}</span>
        <span className="text-xs text-quiet">
          <Time at={startedAt} isExact /> · {duration(durationMs / 1000)}
          {isCounted ? '' : ` · ${t.notCounted}`}
        </span>
      </p>
      <p className={error === null ? 'text-good' : 'text-bad'}>{cause}</p>
      {responseExcerpt !== null && (
        <details className="mt-1">
          <summary className="text-xs text-quiet">{t.answer}</summary>
          <pre
            tabIndex={0}
            aria-label={t.answer}
            className="mt-1 max-h-48 overflow-auto rounded bg-raised p-2 font-mono text-xs whitespace-pre-wrap"
          >
            {responseExcerpt}
          </pre>
        </details>
      )}
    </div>
  );
}
