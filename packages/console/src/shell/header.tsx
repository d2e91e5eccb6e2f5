import { Link, useNavigate } from '@tanstack/react-router';
import type { CallerSession } from '@parley/client';
import { Menu as MenuIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Workspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useIsNarrow } from '../ui/tables/narrow.ts';
import { Find } from './find/find.tsx';
import { Tools } from './tools.tsx';

interface Props {
  session: CallerSession;
  /** Undefined: the screen is about the deployment. */
  workspace?: Workspace;
}

/** The bar above all screens: workspace, search, and how the console looks. */
export function Header({ session, workspace }: Props) {
  const isNarrow = useIsNarrow();
  const place = workspace && <WorkspaceSwitch session={session} workspace={workspace} />;
  const tools = <Tools who={session.name} title={session.email ?? undefined} />;
  return (
    <header className="top-0 z-20 border-b border-line bg-panel md:sticky md:h-14">
      <div className="relative mx-auto flex max-w-[110rem] items-center gap-x-3 gap-y-2 px-4 py-2.5 md:h-14 md:flex-wrap">
        <Brand session={session} workspace={workspace} />
        {!isNarrow && place}
        {workspace ? <Find isOperator={session.isOperator} /> : <ToWorkspaces session={session} />}
        {isNarrow ? (
          <Menu>
            {place}
            {tools}
          </Menu>
        ) : (
          tools
        )}
      </div>
    </header>
  );
}

/** What has no room in the bar of a phone. */
function Menu({ children }: { children: ReactNode }) {
  const { common } = useTexts();
  return (
    <details className="ml-auto shrink-0">
      <summary
        aria-label={common.menu}
        title={common.menu}
        className="flex size-9 list-none items-center justify-center rounded-md hover:bg-raised [&::-webkit-details-marker]:hidden"
      >
        <MenuIcon size={18} aria-hidden="true" />
      </summary>
      <div className="card absolute top-full right-2 z-30 mt-1 max-w-[calc(100vw-1rem)] space-y-2 p-3 shadow-2xl">
        {children}
      </div>
    </details>
  );
}

function Brand({ session, workspace }: Props) {
  const look = 'text-base font-semibold tracking-tight';
  return workspace ? (
    <Link to="/w/$workspaceId" params={{ workspaceId: workspace.id }} className={look}>
      Parley
    </Link>
  ) : (
    <Link to={session.isOperator ? '/operator' : '/'} className={look}>
      Parley
    </Link>
  );
}

function ToWorkspaces({ session }: { session: CallerSession }) {
  const { operator: t } = useTexts();
  if (session.workspaces.length === 0) return null;
  return (
    <Link to="/" className="link whitespace-nowrap">
      {t.workspaces}
    </Link>
  );
}

function WorkspaceSwitch({ session, workspace }: { session: CallerSession; workspace: Workspace }) {
  const { common } = useTexts();
  const navigate = useNavigate();
  if (session.workspaces.length < 2)
    return <span className="max-w-48 truncate text-quiet">{workspace.name}</span>;
  return (
    <select
      aria-label={common.workspace}
      className="field max-w-48"
      value={workspace.id}
      onChange={({ target }) =>
        void navigate({ to: '/w/$workspaceId', params: { workspaceId: target.value } })
      }
    >
      {session.workspaces.map(({ workspaceId, name }) => (
        <option key={workspaceId} value={workspaceId}>
          {name}
        </option>
      ))}
    </select>
  );
}
