import type { Recovery } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { recoveriesQuery } from '../../data/deliveries.ts';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Section } from '../../ui/states.tsx';
import { Time, useNumbers } from '../../ui/time.tsx';

const tones: Record<Recovery['state'], Tone> = { running: 'warn', done: 'good', stopped: 'bad' };

/** The newest recoveries of a webhook. Nothing if there are none. */
export function Recoveries({ webhookId }: { webhookId: string }) {
  const { webhooks: t } = useTexts();
  const { count } = useNumbers();
  const live = useLiveOptions();
  const { data } = useQuery({ ...recoveriesQuery(useWorkspace(), webhookId), ...live });
  if (!data || data.length === 0) return null;
  return (
    <div className="mb-4">
      <Section title={t.recoveries}>
        <ul>
          {data.map(({ id, state, recovered, since, until, createdAt }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0"
            >
              <Badge tone={tones[state]}>{t.recoveryStates[state]}</Badge>
              <span className="tabular-nums">{t.recovered(count(recovered))}</span>
              <span className="text-quiet">
                <Time at={since} /> – <Time at={until} />
              </span>
              <span className="text-quiet sm:ml-auto">
                <Time at={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
