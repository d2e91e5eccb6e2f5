import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { draftsQuery, useUnpublished } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ScreenHead } from '../../ui/states.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { part } from '../../ui/part.tsx';
import { tabClass } from '../../ui/tabs.ts';
import { useMissingScope } from '../../ui/read-only.tsx';

const CreateDialog = part(() => import('../interactions/create.tsx'), 'CreateInteraction');

export function BotHead({ botId, children }: { botId: string; children?: ReactNode }) {
  const { bots: t } = useTexts();
  const workspace = useWorkspace();
  const { id: workspaceId, client, can } = workspace;
  const [isTrying, setTrying] = useOpening('try');
  const missing = useMissingScope('interactions:write');
  const { data } = useQuery({
    queryKey: [workspaceId, 'bot', botId, 'name'],
    queryFn: ({ signal }) => client.bots.get(botId, { signal }),
  });
  const { data: drafts } = useQuery({ ...draftsQuery(workspace), enabled: can('bots:read') });
  const isUnpublished = useUnpublished(drafts?.find((draft) => draft.botId === botId));
  const reason = missing ?? (isUnpublished ? t.notLiveAbout : undefined);
  return (
    <>
      <ScreenHead title={data?.name ?? t.bot}>
        {isUnpublished && <Badge tone="warn">{t.notLive}</Badge>}
        {children}
        <Button reason={reason} onClick={() => setTrying(true)}>
          <FlaskConical size={15} aria-hidden="true" />
          {t.tryIt}
        </Button>
      </ScreenHead>
      <Suspense>{isTrying && <CreateDialog triedBotId={botId} close={() => setTrying(false)} />}</Suspense>
      <Tabs botId={botId} />
    </>
  );
}

/** The screens of a bot. */
function Tabs({ botId }: { botId: string }) {
  const { bots: t, editor, links } = useTexts();
  const params = { workspaceId: useWorkspace().id, botId };
  return (
    <nav aria-label={t.screens} className="mb-4 flex gap-5 border-b border-line">
      <Link
        to="/w/$workspaceId/bots/$botId"
        params={params}
        activeOptions={{ exact: true, includeSearch: false }}
        className={tabClass}
      >
        {t.insight}
      </Link>
      <Link
        to="/w/$workspaceId/bots/$botId/versions"
        params={params}
        activeOptions={{ includeSearch: false }}
        className={tabClass}
      >
        {t.versions}
      </Link>
      <Link
        to="/w/$workspaceId/bots/$botId/links"
        params={params}
        activeOptions={{ includeSearch: false }}
        className={tabClass}
      >
        {links.title}
      </Link>
      <Link
        to="/w/$workspaceId/bots/$botId/edit"
        params={params}
        activeOptions={{ includeSearch: false }}
        className={tabClass}
      >
        {editor.edit}
      </Link>
    </nav>
  );
}
