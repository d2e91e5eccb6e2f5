import type { CallerSession } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { forgetJoined, joinedWorkspaces } from '../data/session/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button } from '../ui/forms/button.tsx';

/** Names the workspaces that the person has joined at this sign-in: nobody was asked. */
export function Joined({ session }: { session: CallerSession }) {
  const { common } = useTexts();
  const [ids, setIds] = useState(joinedWorkspaces);
  const joined = session.workspaces.filter(({ workspaceId }) => ids.includes(workspaceId));
  if (joined.length === 0) return null;
  const close = (): void => {
    forgetJoined();
    setIds([]);
  };
  return (
    <div role="status" className="border-b border-line bg-accent-soft">
      <div className="mx-auto flex max-w-[110rem] flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
        <p className="min-w-0 flex-1 basis-72 break-words">
          {common.joined}{' '}
          {joined.map(({ workspaceId, name }, index) => (
            <Fragment key={workspaceId}>
              {index > 0 && ', '}
              <Link to="/w/$workspaceId/access/members" params={{ workspaceId }} className="link underline">
                {name}
              </Link>
            </Fragment>
          ))}
          {'. '}
          {common.joinedHow}
        </p>
        <Button isSmall onClick={close}>
          {common.close}
        </Button>
      </div>
    </div>
  );
}
