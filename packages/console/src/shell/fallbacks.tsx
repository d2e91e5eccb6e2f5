import type { CallerSession } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { sessionQuery } from '../data/session/session.ts';
import { consolePath } from '../environment.ts';
import { useTexts } from '../texts/texts.tsx';
import { Empty } from '../ui/states.tsx';
import { Problem } from '../ui/problem.tsx';
import { Header } from './header.tsx';

/** For an address that no screen has. */
export function NotFound() {
  const { common } = useTexts();
  return (
    <main className="p-8">
      <Empty title={common.notFound}>
        <a className="link" href={consolePath}>
          {common.toStart}
        </a>
      </Empty>
    </main>
  );
}

/** For a person who is no member of a workspace. */
export function NoWorkspace() {
  const { common } = useTexts();
  const { data: session } = useQuery(sessionQuery);
  return (
    <>
      {session && <Header session={session} />}
      <main id="main" className="p-8">
        <Empty title={common.noWorkspace}>{common.noWorkspaceHow}</Empty>
      </main>
    </>
  );
}

/** For an address of a workspace that the person cannot open: leads to accessible ones, and to another sign-in. */
export function UnknownWorkspace({ session }: { session: CallerSession }) {
  const { common, operator } = useTexts();
  return (
    <>
      <Header session={session} />
      <main id="main" className="p-8">
        <Empty title={common.unknownWorkspace}>
          <p>{session.workspaces.length > 0 ? common.yourWorkspaces : common.noWorkspaceHow}</p>
          <ul className="space-y-1">
            {session.workspaces.map(({ workspaceId, name }) => (
              <li key={workspaceId}>
                <Link to="/w/$workspaceId" params={{ workspaceId }} className="link">
                  {name}
                </Link>
              </li>
            ))}
            {session.isOperator && (
              <li>
                <Link to="/operator" className="link">
                  {operator.open}
                </Link>
              </li>
            )}
          </ul>
        </Empty>
      </main>
    </>
  );
}

export function ScreenProblem({ error, reset }: ErrorComponentProps) {
  return (
    <div className="p-4">
      <Problem error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    </div>
  );
}
