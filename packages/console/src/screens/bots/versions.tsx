import type { BotVersion } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { versionsQuery } from '../../data/bots.ts';
import { useNameOf } from '../../data/people.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Difference } from './difference.tsx';
import { BotHead } from './head.tsx';
import { RestoreDialog } from './restore.tsx';
import { QueryState } from '../../ui/loading.tsx';
import { useMissingScope } from '../../ui/read-only.tsx';

const route = getRouteApi('/w/$workspaceId/bots/$botId/versions');

export function BotVersions() {
  const { botId } = route.useParams();
  const workspace = useWorkspace();
  const { data, error, refetch } = useQuery(versionsQuery(workspace, botId));
  return (
    <>
      <BotHead botId={botId} />
      <QueryState query={{ data, error, refetch }} />
      {data && (
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <VersionList botId={botId} versions={data} />
          <Comparison botId={botId} versions={data} />
        </div>
      )}
    </>
  );
}

interface Props {
  botId: string;
  versions: BotVersion[];
}

function VersionList({ botId, versions }: Props) {
  const { bots: t, editor } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const nameOf = useNameOf();
  const [restored, setRestored] = useState<number>();
  const live = versions.find(({ isLive }) => isLive)?.version;
  const missing = useMissingScope('bots:write');
  return (
    <Section title={t.versions}>
      <ol>
        {versions.map(({ version, publishedAt, publishedBy, note, isLive, restoredFrom }) => (
          <li
            key={version}
            className="flex flex-wrap items-start gap-3 border-b border-line p-4 last:border-0"
          >
            <div className="min-w-0 flex-[1_1_13rem] space-y-0.5">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{t.versionNumber(version)}</span>
                {isLive && <Badge tone="good">{t.live}</Badge>}
                {restoredFrom !== null && <Badge>{t.restoredFrom(restoredFrom)}</Badge>}
              </p>
              {note !== null && <p className="break-words">{note}</p>}
              <p className="text-xs break-words text-quiet">
                <Time at={publishedAt} /> · {nameOf(publishedBy)}
              </p>
            </div>
            <Link
              to="/w/$workspaceId/bots/$botId/edit"
              params={{ workspaceId, botId }}
              search={{ version: String(version) }}
              aria-label={`${editor.edit}: ${t.versionNumber(version)}`}
              className={buttonClass('secondary', true)}
            >
              {editor.edit}
            </Link>
            {!isLive && (
              <Button isSmall reason={missing} onClick={() => setRestored(version)}>
                {t.restore}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {restored !== undefined && live !== undefined && (
        <RestoreDialog botId={botId} version={restored} live={live} close={() => setRestored(undefined)} />
      )}
    </Section>
  );
}

function Comparison({ botId, versions }: Props) {
  const { bots: t } = useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const newest = versions[0]?.version ?? 1;
  const left = Number(search.left ?? Math.max(1, newest - 1));
  const right = Number(search.right ?? newest);
  const options = versions.map(({ version }) => ({
    value: String(version),
    label: t.versionNumber(version),
  }));
  const set = (change: { left?: string; right?: string }): void => {
    void navigate({ search: { ...search, ...change }, replace: true });
  };
  return (
    <Section title={t.difference}>
      {versions.length < 2 ? (
        <p className="p-4 text-quiet">{t.oneVersion}</p>
      ) : (
        <>
          <div className="flex flex-wrap gap-3 border-b border-line p-4">
            <SelectField
              label={t.left}
              value={String(left)}
              options={options}
              onChange={(one) => set({ left: one })}
            />
            <SelectField
              label={t.right}
              value={String(right)}
              options={options}
              onChange={(one) => set({ right: one })}
            />
          </div>
          <Difference botId={botId} left={left} right={right} />
        </>
      )}
    </Section>
  );
}
