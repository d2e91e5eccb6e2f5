import type { Deployment } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../data/client.ts';
import { useLiveOptions } from '../../data/live.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { classes } from '../../ui/classes.ts';
import { ScreenHead } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Deliveries, Figures, Shards } from './deliveries.tsx';
import { Events } from './events.tsx';
import { RunbookLink } from './part.tsx';
import { Services } from './services.tsx';
import { QueryState } from '../../ui/loading.tsx';

/** Whether everything is well in the deployment, and where to look if not. */
export function OperatorScreen() {
  const { operator: t } = useTexts();
  const live = useLiveOptions();
  const { data, error, refetch } = useQuery({
    queryKey: ['deployment'],
    queryFn: ({ signal }) => client.deployment.get({ signal }),
    ...live,
  });
  return (
    <>
      <ScreenHead title={t.title}>
        {data && (
          <p className="text-quiet">
            {t.checked} <Time at={data.checkedAt} isExact isTime />
          </p>
        )}
      </ScreenHead>
      <div className="grid gap-4">
        <QueryState query={{ data, error, refetch }} />
        {data && <Everything deployment={data} />}
      </div>
    </>
  );
}

function Everything({ deployment }: { deployment: Deployment }) {
  return (
    <>
      <Verdict deployment={deployment} />
      <Services services={deployment.services} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Events deployment={deployment} />
        <Deliveries deliveries={deployment.deliveries} />
        <Shards shards={deployment.shards} />
        <Figures figures={deployment.figures} />
      </div>
    </>
  );
}

/** Says in words whether everything is well. Each problem leads to its runbook. */
function Verdict({ deployment: { isWell, problems, shards } }: { deployment: Deployment }) {
  const { operator: t } = useTexts();
  return (
    <section
      aria-label={t.title}
      aria-live="polite"
      className={classes('card border-l-4 p-4', isWell ? 'border-l-good' : 'border-l-bad')}
    >
      <h2 className={classes('text-lg font-semibold', isWell ? 'text-good' : 'text-bad')}>
        <span aria-hidden="true">{isWell ? '✓' : '✕'} </span>
        {isWell ? t.well : t.notWell(problems.length)}
      </h2>
      <ul className="grid gap-1.5 empty:hidden">
        {problems.map(({ part, subject, alert, detail }) => {
          const ofAlert = t.alerts[alert]?.(subject) ?? detail;
          const words = part === 'shards' ? t.unowned(shards.unowned ?? 0) : ofAlert;
          return (
            <li key={part + subject + alert} className="mt-1.5 flex flex-wrap items-center gap-x-4">
              <span className="min-w-0 break-words">{words}</span>
              <RunbookLink alert={alert} about={words} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
