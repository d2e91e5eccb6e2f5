import { lacksPatterns, loadPatterns } from '@parley/bot/patterns';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { type Definition, draftQuery, versionQuery, versionsQuery } from '../../../data/bots.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { part } from '../../../ui/part.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Locked } from '../../../ui/read-only.tsx';
import { SkeletonLines } from '../../../ui/states.tsx';
import { BotHead } from '../head.tsx';
import { beginningOf, definitionIn, type ServerDraft } from './draft/begin.ts';
import { forgetDraft, readDraft } from './draft/draft.ts';
import { Others } from './draft/others.tsx';
import { definitionText } from './definition.ts';

const route = getRouteApi('/w/$workspaceId/bots/$botId/edit');

// The editor and the validator are larger than the rest of the console.
const Workbench = part(() => import('./workbench.tsx'), 'Workbench');

export function EditBot() {
  const { botId } = route.useParams();
  const { version } = route.useSearch();
  const { common, editor } = useTexts();
  const workspace = useWorkspace();
  const [discarded, setDiscarded] = useState(0);
  // After a publication, the address no longer names the version from which the text began. The editor stays.
  const [begunWith, setBegunWith] = useState<string>();
  const { data: versions, error, refetch } = useQuery(versionsQuery(workspace, botId));
  const live = versions?.find(({ isLive }) => isLive)?.version;
  const cache = useQueryClient();
  const saved = useQuery(draftQuery(workspace, botId));
  const reopen = async (): Promise<void> => {
    await cache.fetchQuery({ ...draftQuery(workspace, botId), staleTime: 0 });
    // At once with the next reading: another tab keeps its text when this one is forgotten.
    forgetDraft(workspace.id, botId);
    setDiscarded((times) => times + 1);
  };
  const failure = error ?? saved.error;
  return (
    <>
      <BotHead botId={botId}>
        <Others botId={botId} />
      </BotHead>
      <Locked reason={workspace.can('bots:write') ? undefined : editor.onlyTry} />
      {failure && <Problem error={failure} retry={() => void Promise.all([refetch(), saved.refetch()])} />}
      {(!versions || saved.data === undefined) && !failure && (
        <SkeletonLines count={8} label={common.loading} />
      )}
      {live !== undefined && saved.data !== undefined && (
        <Loaded
          // Another version is another text. A version that is published meanwhile is none.
          key={`${botId} ${version ?? begunWith} ${discarded}`}
          botId={botId}
          version={version === undefined ? live : Number(version)}
          live={live}
          saved={saved.data ?? undefined}
          reopen={reopen}
          stay={() => setBegunWith(version)}
        />
      )}
    </>
  );
}

interface Props {
  botId: string;
  version: number;
  live: number;
  /** The draft of the bot as the service has it. */
  saved: ServerDraft | undefined;
  /** Forgets the text of this browser, and opens what the service has. */
  reopen(): Promise<void>;
  /** Called before the address names no version. */
  stay(): void;
}

function Loaded({ botId, version, live, saved, reopen, stay }: Props) {
  const { common } = useTexts();
  const workspace = useWorkspace();
  const [beginning] = useState(() => beginningOf(readDraft(workspace.id, botId), saved));
  const { draft } = beginning;
  const [opened, setOpened] = useState(draft?.opened ?? version);
  // The version that the person knows to be live.
  const [base, setBase] = useState(draft?.base ?? live);
  const [first] = useState(opened);
  const text = useQuery({ ...versionQuery(workspace, botId, first), enabled: draft === undefined });
  const original = useQuery(versionQuery(workspace, botId, base));
  const given = draft?.text ?? (text.data && definitionText(text.data.definition));
  const patterns = usePatterns(given);
  const error = text.error ?? original.error ?? patterns.error;
  const loading = <SkeletonLines count={8} label={common.loading} />;
  if (given === undefined || !patterns.areLoaded) return error ? <Problem error={error} /> : loading;
  return (
    <>
      {error && <Problem error={error} />}
      <Suspense fallback={loading}>
        <Workbench
          botId={botId}
          opened={opened}
          text={given}
          beginning={beginning}
          base={base}
          original={original.data && definitionText(original.data.definition)}
          botKey={(original.data?.definition as Definition | undefined)?.key}
          live={live}
          setBase={setBase}
          setOpened={setOpened}
          reopen={reopen}
          stay={stay}
        />
      </Suspense>
    </>
  );
}

/** Loads what checks the patterns of a text, if it has some. */
function usePatterns(text: string | undefined): { areLoaded: boolean; error: Error | null } {
  const definition = useMemo(() => (text === undefined ? undefined : definitionIn(text)), [text]);
  const { data, error } = useQuery({
    queryKey: ['patterns'],
    queryFn: async () => {
      await loadPatterns(definition);
      return true;
    },
    enabled: lacksPatterns(definition),
    staleTime: Infinity,
  });
  return { areLoaded: data === true || !lacksPatterns(definition), error };
}
