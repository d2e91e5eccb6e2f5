import type { Delivery } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deliveryBodyQuery } from '../../../data/deliveries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { CopyButton } from '../../../ui/forms/copy.tsx';
import { isHidden } from '../../../ui/hidden-text.ts';
import { Personal } from '../../../ui/hidden.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { indented } from '../../../ui/words.ts';

interface Props {
  webhookId: string;
  delivery: Delivery;
}

/** The body of the requests of a delivery, folded. It is loaded when it is unfolded. */
export function SentBody({ webhookId, delivery }: Props) {
  const { webhooks: t } = useTexts();
  const workspace = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    ...deliveryBodyQuery(workspace, webhookId, delivery.id),
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-xs text-quiet">{t.body}</summary>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isOpen && !data && !error && <Skeleton className="mt-1 h-4 w-40" />}
      {data && (
        <div className="mt-1 space-y-1">
          {data.isRedacted && <p className="text-quiet">{t.bodyRedacted}</p>}
          <Body body={data.body} />
        </div>
      )}
    </details>
  );
}

function Body({ body }: { body: string | null }) {
  const { webhooks: t, common } = useTexts();
  if (body === null) return <p className="text-quiet">{t.bodyGone}</p>;
  if (isHidden(body)) {
    return (
      <p className="text-quiet">
        <Personal text={body} /> {common.hiddenWhy}
      </p>
    );
  }
  return (
    <div className="flex items-start gap-1">
      <pre
        tabIndex={0}
        aria-label={t.body}
        className="max-h-96 min-w-0 flex-1 overflow-auto rounded bg-raised p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {indented(body)}
      </pre>
      <CopyButton text={body} label={t.copyBody} />
    </div>
  );
}
