import { type Insight, type InsightStep, instant } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Bar } from '../../ui/bar.tsx';
import { Section } from '../../ui/states.tsx';
import { Time, useNumbers } from '../../ui/time.tsx';
import { startOfDayIn } from '../../data/zone.ts';
import { withoutPlaceholders } from '../../ui/words.ts';
import { daysOf, type InsightSearch, periodOf, zoneOf } from './insight-query.ts';

interface Props {
  insight: Insight;
  search: InsightSearch;
}

/** A bar per step: how many have seen it, and how many of these have stopped there. */
export function StepBars({ insight, search }: Props) {
  const { bots: t } = useTexts();
  const { steps } = insight;
  const most = Math.max(1, ...steps.map(({ seen }) => seen));
  const worst = Math.max(0, ...steps.map(({ dropped }) => dropped));
  const first = steps.find(({ dropped }) => dropped > 0 && dropped === worst)?.stepId;
  return (
    <Section title={t.steps}>
      <p className="px-4 pt-3 text-quiet">{t.stepsAbout}</p>
      <div role="region" aria-label={t.steps} tabIndex={0} className="overflow-x-auto p-4">
        <table className="w-full min-w-160 text-left tabular-nums">
          <thead className="text-xs text-quiet">
            <tr>
              {[t.step, t.seen, t.answered, t.skipped, t.stopped, t.stoppedShare].map((name) => (
                <th key={name} scope="col" className="border-b border-line py-1.5 pr-4 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <StepRow
                key={step.stepId}
                {...{ step, most, search }}
                botId={insight.bot.id}
                isWorst={step.stepId === first}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

interface RowProps {
  step: InsightStep;
  most: number;
  botId: string;
  search: InsightSearch;
  isWorst: boolean;
}

function StepRow({ step, most, botId, search, isWorst }: RowProps) {
  const { bots: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const { count, share } = useNumbers();
  // A step that is older than the window has its figures for all of it.
  const isNew = instant(step.since) > startOfDayIn(zoneOf(search), daysOf(search).from);
  const { stepId, text, since, seen, answered, skipped, dropped, dropRate } = step;
  return (
    <tr className="border-b border-line align-top last:border-0">
      <th scope="row" className="max-w-88 py-2.5 pr-4 font-normal">
        <span className="line-clamp-2 font-medium">{text === null ? t.chat : withoutPlaceholders(text)}</span>
        <span className="text-xs text-quiet">
          <code className="font-mono">{stepId}</code>
          {isNew && (
            <>
              {' '}
              · {t.since} <Time at={since} />
            </>
          )}
        </span>
      </th>
      <td className="w-2/5 py-2.5 pr-4">
        <span>{count(seen)}</span>
        <Bar
          parts={[
            { value: seen - dropped, tone: 'accent' },
            { value: dropped, tone: 'bad' },
          ]}
          most={most}
        />
      </td>
      <td className="py-2.5 pr-4">{count(answered)}</td>
      <td className="py-2.5 pr-4">{count(skipped)}</td>
      <td className="py-2.5 pr-4">
        {dropped === 0 ? (
          count(dropped)
        ) : (
          <Link
            to="/w/$workspaceId/interactions"
            params={{ workspaceId }}
            search={{ bot: botId, ...periodOf(search), stopped: stepId, version: search.version }}
            className="link"
            aria-label={t.toStopped(dropped, text === null ? t.chat : withoutPlaceholders(text))}
          >
            {count(dropped)}
          </Link>
        )}{' '}
        {isWorst && <Badge tone="bad">{t.most}</Badge>}
      </td>
      <td className="py-2.5">{share(dropRate)}</td>
    </tr>
  );
}
