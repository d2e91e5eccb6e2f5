import { ParleyError } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { client } from '../data/client.ts';
import { sessionQuery } from '../data/session/session.ts';
import { type Workspace, WorkspaceProvider } from '../data/workspace.tsx';
import { useFocusOfScreen } from '../shell/focus.ts';
import { Tools } from '../shell/tools.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Problem } from '../ui/problem.tsx';
import { Empty, Frame, SkeletonLines } from '../ui/states.tsx';
import { branding } from './branding.ts';

export function PortalShell() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { common, webhooks: t } = useTexts();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const found = session?.workspaces.find((one) => one.workspaceId === workspaceId);
  useFocusOfScreen();
  const portalWebhooks = session?.webhookIds ?? null;
  const workspace = useMemo((): Workspace | undefined => {
    if (!found) return undefined;
    const { name, scopes } = found;
    return {
      id: workspaceId,
      name,
      role: null,
      portalWebhooks,
      client: client.workspace(workspaceId),
      can: (scope) => scopes.includes(scope),
    };
  }, [workspaceId, found, portalWebhooks]);
  // Later, the screen stays: a form may be open.
  const refusal = !session && error instanceof ParleyError && error.status === 401 ? error : undefined;
  if (refusal || (session && !workspace)) return <Over isIncomplete={refusal?.type === 'incomplete-link'} />;
  if (!workspace) {
    return error ? <Problem error={error} retry={() => void refetch()} /> : <Frame label={common.loading} />;
  }
  return (
    <WorkspaceProvider value={workspace}>
      <a href="#main" className="link fixed -top-20 left-4 z-50 bg-panel p-2 focus:top-2">
        {common.skip}
      </a>
      <header className="border-t-4 border-b border-t-accent border-b-line bg-panel">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
          <Link
            to="/w/$workspaceId/webhooks"
            params={{ workspaceId }}
            className="flex min-w-0 items-center gap-2.5 text-base font-semibold tracking-tight"
          >
            <Brand />
            <span className="truncate">{branding.displayName ?? workspace.name}</span>
          </Link>
          <span className="text-quiet">{t.title}</span>
          <Tools who={session?.name ?? ''} />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-6xl p-4 pb-16 outline-none md:p-6">
        <Suspense fallback={<SkeletonLines label={common.loading} />}>
          <Outlet />
        </Suspense>
      </main>
    </WorkspaceProvider>
  );
}

/** The logo. Its name stands beside it. */
function Brand() {
  return branding.logo === null ? null : (
    <img src={branding.logo} alt="" className="h-7 max-w-24 object-contain" />
  );
}

/** For a link that was used or revoked, or whose end is missing, and for a session that has ended. */
function Over({ isIncomplete }: { isIncomplete: boolean }) {
  const { portal: t } = useTexts();
  return (
    <main className="p-4 py-12">
      <div className="mx-auto mb-6 flex max-w-xl items-center justify-center gap-2.5 text-lg font-semibold">
        <Brand />
        {branding.displayName}
      </div>
      <Empty title={isIncomplete ? t.incomplete : t.over}>
        <p>{isIncomplete ? t.incompleteHow : t.overWhy}</p>
        {!isIncomplete && <p>{t.overHow}</p>}
      </Empty>
    </main>
  );
}
