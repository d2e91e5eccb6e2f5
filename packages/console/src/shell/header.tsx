import { Link, useNavigate } from '@tanstack/react-router';
import type { CallerSession } from '@parley/client';
import type { Workspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { CustomerSearch } from './customer-search.tsx';
import { Tools } from './tools.tsx';

interface Props {
  session: CallerSession;
  /** Undefined: the screen is about the deployment. */
  workspace?: Workspace;
}

/** The bar above all screens: workspace, search, and how the console looks. */
export function Header({ session, workspace }: Props) {
  return (
    <header className="top-0 z-20 border-b border-line bg-panel md:sticky md:h-14">
      <div className="mx-auto flex max-w-[110rem] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 md:h-14">
        <Brand session={session} workspace={workspace} />
        {workspace && <WorkspaceSwitch session={session} workspace={workspace} />}
        {workspace ? <CustomerSearch /> : <ToWorkspaces session={session} />}
        <Tools who={session.name} title={session.email ?? undefined} />
      </div>
    </header>
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
