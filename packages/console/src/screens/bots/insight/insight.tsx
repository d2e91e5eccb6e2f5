import type { Insight } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { isZone, zoneOf } from '../../../data/zone.ts';
import { useLiveOptions } from '../../../data/live.tsx';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { buttonClass } from '../../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { ZoneField } from '../../../ui/forms/zone-field.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { DayColumns } from './days.tsx';
import { EvaluationFigures } from './evaluation.tsx';
import { BotHead } from '../head.tsx';
import { daysOf, insightQuery, type InsightSearch, periodOf, windows } from './insight-query.ts';
import { StepBars } from './steps.tsx';
import { Totals } from './totals.tsx';
import { QueryState } from '../../../ui/loading.tsx';
import { versionsQuery } from '../../../data/bots.ts';

const route = getRouteApi('/w/$workspaceId/bots/$botId');

/** How a bot does: its figures in a window, where customers stop, and what they answer. */
export function BotInsight() {
  const { botId } = route.useParams();
  const search = route.useSearch();
  const { bots: t } = useTexts();
  const workspace = useWorkspace();
  const live = useLiveOptions();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...insightQuery(workspace, botId, search),
    ...live,
  });
  // With its zone, an address has the same figures everywhere.
  if (!isZone(search.tz))
    return <Navigate from={route.id} to="." search={{ ...search, tz: zoneOf(search) }} replace />;
  return (
    <>
      <BotHead botId={botId}>
        <Link
          to="/w/$workspaceId/interactions"
          params={{ workspaceId: workspace.id }}
          search={{ bot: botId, ...periodOf(search) }}
          className={buttonClass()}
        >
          {t.toInteractions}
        </Link>
      </BotHead>
      <InsightFilters search={search} />
      <QueryState query={{ data, error, refetch }} count={8} />
      {data && (
        <div aria-busy={isPlaceholderData} className="grid gap-4">
          <Figures insight={data} search={search} />
        </div>
      )}
    </>
  );
}

function Figures({ insight, search }: { insight: Insight; search: InsightSearch }) {
  const { bots: t } = useTexts();
  if (insight.totals.created === 0) return <Empty title={t.noFigures}>{t.noFiguresHow}</Empty>;
  return (
    <>
      <Totals insight={insight} />
      <StepBars insight={insight} search={search} />
      <EvaluationFigures insight={insight} search={search} />
      <DayColumns days={insight.days} />
      <p className="text-xs text-quiet">
        {t.asOf} <Time at={insight.asOf} isExact />
      </p>
    </>
  );
}

function InsightFilters({ search }: { search: InsightSearch }) {
  const { bots: t, common } = useTexts();
  const { botId } = route.useParams();
  const workspace = useWorkspace();
  const navigate = route.useNavigate();
  const { data: versions = [] } = useQuery({
    ...versionsQuery(workspace, botId),
    enabled: workspace.can('bots:read'),
  });
  const set = (change: InsightSearch): void => {
    void navigate({ search: { ...search, ...change }, replace: true });
  };
  const days = daysOf(search);
  return (
    <div role="group" aria-label={t.filters} className="mb-4 flex flex-wrap items-end gap-3">
      <SelectField
        label={t.window}
        value={search.window ?? '30'}
        options={[
          ...windows.map((value) => ({ value, label: t.lastDays(Number(value)) })),
          { value: 'custom', label: common.fromTo },
        ]}
        onChange={(window) => set(window === 'custom' ? { window, ...days } : { window, from: '', to: '' })}
      />
      {search.window === 'custom' && (
        <>
          <TextField type="date" label={common.from} value={days.from} onChange={(from) => set({ from })} />
          <TextField type="date" label={common.to} value={days.to} onChange={(to) => set({ to })} />
        </>
      )}
      <ZoneField zone={zoneOf(search)} onChange={(tz) => set({ tz })} />
      <SelectField
        label={t.version}
        value={search.version ?? ''}
        options={[
          { value: '', label: t.allVersions },
          ...versions.map(({ version, isLive }) => ({
            value: String(version),
            label: isLive ? t.liveVersion(version) : String(version),
          })),
        ]}
        onChange={(version) => set({ version })}
      />
      <label className="flex h-9 items-center gap-2">
        <input
          type="checkbox"
          className="size-4"
          checked={search.compare !== undefined}
          onChange={({ target }) => set({ compare: target.checked ? 'previous' : '' })}
        />
        {t.compare}
      </label>
    </div>
  );
}
