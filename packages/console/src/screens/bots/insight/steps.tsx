import { type Insight, instant } from '@parley/client';
import { type StepRow, stepRows } from '@parley/report/insight';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Bar } from '../../../ui/bar.tsx';
import { Section } from '../../../ui/states.tsx';
import { Time, useNumbers } from '../../../ui/time.tsx';
import { startOfDayIn, zoneOf } from '../../../data/zone.ts';
import { withoutPlaceholders } from '../../../ui/words.ts';
import { daysOf, type InsightSearch, periodOf } from './insight-query.ts';

interface Props {
  insight: Insight;
  search: InsightSearch;
}

/** A bar per step: how many have seen it, and how many of these have stopped there. */
export function StepBars({ insight, search }: Props) {
  const { bots: t } = useTexts();
  const { steps } = insight;
  const { rows, most } = stepRows(steps);
  const { step, seen, answered, skipped, dropped } = t.figures;
  return (
    <Section title={t.steps}>
      <p className="px-4 pt-3 text-quiet">{t.stepsAbout}</p>
      <div role="region" aria-label={t.steps} tabIndex={0} className="overflow-x-auto p-4">
        <table className="w-full min-w-160 text-left tabular-nums">
          <thead className="text-xs text-quiet">
            <tr>
              {[step, seen, answered, skipped, dropped].map((name) => (
                <th key={name} scope="col" className="border-b border-line py-1.5 pr-4 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <StepBar key={row.step.stepId} {...{ row, most, search }} botId={insight.bot.id} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

interface RowProps {
  row: StepRow;
  most: number;
  botId: string;
  search: InsightSearch;
}

function StepBar({ row, most, botId, search }: RowProps) {
  const { bots: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const { count, share } = useNumbers();
  // A step that is older than the window has its figures for all of it.
  const isNew = instant(row.step.since) > startOfDayIn(zoneOf(search), daysOf(search).from);
  const { stepId, text, since, seen, dropped } = row.step;
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
      {[row.answered, row.skipped].map((part, index) => (
        <td key={index} className="py-2.5 pr-4 whitespace-nowrap">
          {count(part.count)} <span className="text-quiet">{share(part.share)}</span>
        </td>
      ))}
      <td className="py-2.5 pr-4">
        {dropped === 0 ? (
          count(dropped)
        ) : (
          <Link
            to="/w/$workspaceId/interactions"
            params={{ workspaceId }}
            search={{ bot: botId, ...periodOf(search), stopped: stepId, version: search.version }}
            className="link underline"
            aria-label={t.toStopped(dropped, text === null ? t.chat : withoutPlaceholders(text))}
          >
            {count(dropped)}
          </Link>
        )}{' '}
        <span className="text-quiet">{share(row.dropped.share)}</span>{' '}
        {row.isWorst && <Badge tone="bad">{t.most}</Badge>}
      </td>
    </tr>
  );
}
