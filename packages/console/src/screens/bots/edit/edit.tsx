import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { versionQuery, versionsQuery } from '../../../data/bots.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { whenOnline } from '../../../data/online.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Locked } from '../../../ui/read-only.tsx';
import { SkeletonLines } from '../../../ui/states.tsx';
import { BotHead } from '../head.tsx';

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

// The editor and the validator are larger than the rest of the console.
const Workbench = lazy(whenOnline(async () => ({ default: (await import('./workbench.tsx')).Workbench })));

/** Changes a bot: edit its definition, see the proof, publish. */
export function EditBot() {
  const { botId } = route.useParams();
  const { version } = route.useSearch();
  const { common, editor } = useTexts();
  const workspace = useWorkspace();
  const { data: versions, error, refetch } = useQuery(versionsQuery(workspace, botId));
  const live = versions?.find(({ isLive }) => isLive)?.version;
  return (
    <>
      <BotHead botId={botId} />
      <Locked reason={workspace.can('bots:write') ? undefined : editor.onlyTry} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!versions && !error && <SkeletonLines count={8} label={common.loading} />}
      {live !== undefined && (
        <Loaded
          // Another version is another text. A version that is published meanwhile is none.
          key={`${botId} ${version}`}
          botId={botId}
          version={version === undefined ? live : Number(version)}
          live={live}
        />
      )}
    </>
  );
}

interface Props {
  botId: string;
  version: number;
  live: number;
}

function Loaded({ botId, version, live }: Props) {
  const { common } = useTexts();
  const workspace = useWorkspace();
  const [opened] = useState(version);
  // The version that the person knows to be live.
  const [base, setBase] = useState(live);
  const text = useQuery(versionQuery(workspace, botId, opened));
  const original = useQuery(versionQuery(workspace, botId, base));
  const error = text.error ?? original.error;
  const loading = <SkeletonLines count={8} label={common.loading} />;
  if (error) return <Problem error={error} />;
  if (!text.data) return loading;
  return (
    <Suspense fallback={loading}>
      <Workbench
        botId={botId}
        opened={opened}
        text={textOf(text.data.definition)}
        base={base}
        original={original.data && textOf(original.data.definition)}
        live={live}
        setBase={setBase}
      />
    </Suspense>
  );
}

function textOf(definition: unknown): string {
  return `${JSON.stringify(definition, undefined, 2)}\n`;
}
