import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { client } from '../data/client.ts';
import { sessionQuery } from '../data/session/session.ts';
import { WorkspaceProvider, type Workspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Problem } from '../ui/problem.tsx';
import { Frame, SkeletonLines } from '../ui/states.tsx';
import { type Shortcut, useShortcuts } from '../ui/forms/shortcuts.tsx';
import { useFocusOfScreen } from './focus.ts';
import { UnknownWorkspace } from './fallbacks.tsx';
import { Header } from './header.tsx';
import { Joined } from './joined.tsx';
import { Navigation } from './navigation.tsx';
import { screens } from './screens.ts';

export function Shell() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { common } = useTexts();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const found = session?.workspaces.find((one) => one.workspaceId === workspaceId);
  const workspace = useMemo((): Workspace | undefined => {
    if (!found) return undefined;
    const { name, role, scopes } = found;
    return {
      id: workspaceId,
      name,
      role,
      client: client.workspace(workspaceId),
      can: (scope) => scopes.includes(scope),
    };
  }, [workspaceId, found]);
  useScreenShortcuts(workspaceId);
  useFocusOfScreen();
  if (!session) {
    return error ? <Problem error={error} retry={() => void refetch()} /> : <Frame label={common.loading} />;
  }
  if (!workspace) return <UnknownWorkspace session={session} />;
  return (
    <WorkspaceProvider value={workspace}>
      <a href="#main" className="link fixed -top-20 left-4 z-50 bg-panel p-2 focus:top-2">
        {common.skip}
      </a>
      <Header session={session} workspace={workspace} />
      <Joined session={session} />
      <div className="mx-auto flex max-w-[110rem] max-md:flex-col">
        <Navigation isOperator={session.isOperator} />
        <main
          id="main"
          tabIndex={-1}
          className="min-w-0 flex-1 p-4 pb-16 outline-none md:min-h-[calc(100dvh-3.5rem)] md:border-l md:border-line md:p-6"
        >
          <Suspense fallback={<SkeletonLines label={common.loading} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </WorkspaceProvider>
  );
}

function useScreenShortcuts(workspaceId: string): void {
  const { navigation } = useTexts();
  const navigate = useNavigate();
  const shortcuts = useMemo(
    () =>
      screens.map(
        ({ id, to, key }): Shortcut => ({
          keys: `g ${key}`,
          label: navigation[id],
          run: () => void navigate({ to, params: { workspaceId } }),
        }),
      ),
    [navigate, navigation, workspaceId],
  );
  useShortcuts(shortcuts);
}
