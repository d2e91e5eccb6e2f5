import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ScreenHead } from '../../ui/states.tsx';
import { tabClass } from '../../ui/tabs.ts';

export function AccessHead({ children }: { children?: ReactNode }) {
  const { access: t, audit } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const active = { exact: true, includeSearch: false };
  return (
    <>
      <ScreenHead title={t.title}>{children}</ScreenHead>
      <nav aria-label={t.screens} className="mb-4 flex gap-5 border-b border-line">
        <Link
          to="/w/$workspaceId/access"
          params={{ workspaceId }}
          activeOptions={active}
          className={tabClass}
        >
          {t.keys}
        </Link>
        <Link
          to="/w/$workspaceId/access/members"
          params={{ workspaceId }}
          activeOptions={active}
          className={tabClass}
        >
          {t.members}
        </Link>
        <Link
          to="/w/$workspaceId/access/audit"
          params={{ workspaceId }}
          activeOptions={active}
          className={tabClass}
        >
          {audit.title}
        </Link>
      </nav>
    </>
  );
}
