import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { botQuery, draftsQuery, useUnpublished } from '../../data/bots.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ScreenHead } from '../../ui/states.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { tabClass } from '../../ui/tabs.ts';
import { TryButton } from './try-button.tsx';

export function BotHead({ botId, children }: { botId: string; children?: ReactNode }) {
  const { bots: t } = useTexts();
  const workspace = useWorkspace();
  const { can } = workspace;
  const [isTrying, setTrying] = useOpening('try');
  const { data } = useQuery(botQuery(workspace, botId));
  const { data: drafts } = useQuery({ ...draftsQuery(workspace), enabled: can('bots:read') });
  const isUnpublished = useUnpublished(drafts?.find((draft) => draft.botId === botId));
  return (
    <>
      <ScreenHead title={data?.name ?? t.bot}>
        {isUnpublished && <Badge tone="warn">{t.notLive}</Badge>}
        {children}
        <TryButton botId={botId} words={t.tryIt} isOpen={isTrying} setOpen={setTrying} />
      </ScreenHead>
      <Tabs botId={botId} />
    </>
  );
}

/** The screens of a bot. */
function Tabs({ botId }: { botId: string }) {
  const { bots: t, editor, links } = useTexts();
  const params = { workspaceId: useWorkspace().id, botId };
  const tabs = useRef<HTMLElement>(null);
  // On phones, the tabs are wider than the window.
  useEffect(() => {
    const current = tabs.current?.querySelector('[aria-current=page]');
    if (!tabs.current || !current) return;
    const beyond = current.getBoundingClientRect().right - tabs.current.getBoundingClientRect().right;
    tabs.current.scrollLeft += Math.max(0, beyond);
  }, []);
  return (
    <nav
      ref={tabs}
      aria-label={t.screens}
      className="mb-4 flex gap-5 border-b border-line whitespace-nowrap max-sm:-mx-1 max-sm:gap-3 max-sm:overflow-x-auto max-sm:px-1 max-sm:pt-1"
    >
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
