import type { ErrorComponentProps } from '@tanstack/react-router';
import { consolePath } from '../environment.ts';
import { useTexts } from '../texts/texts.tsx';
import { Empty } from '../ui/states.tsx';
import { Problem } from '../ui/problem.tsx';

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
  return (
    <main className="p-8">
      <Empty title={common.noWorkspace}>{common.noWorkspaceHow}</Empty>
    </main>
  );
}

/** For a screen that fails. */
export function ScreenProblem({ error, reset }: ErrorComponentProps) {
  return (
    <div className="p-4">
      <Problem error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    </div>
  );
}
