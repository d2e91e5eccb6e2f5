import type { Member, Role } from '@parley/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../../data/session/session.ts';
import { useCursorList } from '../../data/rows.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { base } from '../../environment.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmButton } from '../../ui/forms/window-button.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { More, QueryState } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Locked, useMissingScope } from '../../ui/read-only.tsx';
import { Section } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AccessHead } from './head.tsx';
import { InviteMember } from './invite.tsx';
import { useOpening } from '../../ui/forms/opening.ts';
import { roles } from './roles.ts';

/** The people who may open the workspace. */
export function MemberList() {
  const { access: t } = useTexts();
  const { id, client } = useWorkspace();
  const [isInviting, setInviting] = useOpening('invitation');
  const { list, rows: members } = useCursorList([id, 'members'], (cursor, signal) =>
    client.members.list({ cursor }, { signal }),
  );
  const missing = useMissingScope('workspace:write');
  return (
    <>
      <AccessHead>
        <Button kind="primary" reason={missing} onClick={() => setInviting(true)}>
          {t.invite}
        </Button>
      </AccessHead>
      <Locked reason={missing} />
      <QueryState query={list} />
      {members && (
        <Section title={t.members}>
          <ul>
            {members.map((member) => (
              <li key={member.memberId} className="border-b border-line p-4 last:border-0">
                <MemberRow member={member} missing={missing} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <More list={list} />
      {isInviting && <InviteMember close={() => setInviting(false)} />}
    </>
  );
}

interface RowProps {
  member: Member;
  missing: string | undefined;
}

function MemberRow({ member, missing }: RowProps) {
  const { access: t, common } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { memberId, name, email, status, origin, lastSeenAt, groupsMissingSince } = member;
  const shownName = name ?? email ?? t.unnamed;
  const isUnproven = status === 'active' && email !== null && !member.isEmailVerified;
  const remove = async (): Promise<void> => {
    await client.members.remove(memberId);
    await cache.invalidateQueries({ queryKey: [id, 'members'] });
  };
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">{shownName}</span>
          <Badge tone={status === 'active' ? 'good' : 'warn'}>{t.memberStates[status]}</Badge>
        </p>
        <p className="text-xs break-all text-quiet">
          {[email !== shownName && email, isUnproven && t.notVerified, t.origins[origin]]
            .filter(Boolean)
            .join(' · ')}{' '}
          · {t.lastSeen} {lastSeenAt === null ? common.never : <Time at={lastSeenAt} />}
        </p>
        {groupsMissingSince !== null && (
          <p className="text-xs text-quiet">
            {t.groupsMissing} <Time at={groupsMissingSince} />
          </p>
        )}
      </div>
      <Rights member={member} missing={missing} />
      {member.personId !== null && member.personId === session?.id ? (
        <Leave />
      ) : (
        <ConfirmButton
          kind="danger"
          reason={missing}
          confirm={{ title: t.removeTitle(shownName), about: t.removeAbout, action: t.remove, run: remove }}
        >
          {t.remove}
        </ConfirmButton>
      )}
    </div>
  );
}

/** Takes the person out of the workspace. Everybody may. */
function Leave() {
  const { access: t } = useTexts();
  const { name, client } = useWorkspace();
  const leave = async (): Promise<void> => {
    await client.members.leave();
    // All that is known of the workspace goes with the page.
    location.assign(`${base}/console`);
  };
  return (
    <ConfirmButton
      kind="danger"
      confirm={{ title: t.leaveTitle(name), about: t.leaveAbout, action: t.leave, run: leave }}
    >
      {t.leave}
    </ConfirmButton>
  );
}

/** The role of a member, and whether it may see personal data. A change is shown at once. */
function Rights({ member, missing }: RowProps) {
  const { access: t } = useTexts();
  const { id, client } = useWorkspace();
  const cache = useQueryClient();
  const toast = useToast();
  const changed = useMutation({
    mutationFn: (change: { role?: Role; personalData?: boolean }) =>
      client.members.update(member.memberId, change),
    onSuccess: () => toast(t.changed),
    onSettled: () => cache.invalidateQueries({ queryKey: [id, 'members'] }),
  });
  const { role, personalData } = { ...member, ...(changed.isPending && changed.variables) };
  return (
    <>
      <SelectField
        label={t.role}
        value={role}
        disabled={missing !== undefined || changed.isPending}
        options={roles.map((value) => ({ value, label: t.roles[value] }))}
        onChange={(value) => changed.mutate({ role: value as Role })}
      />
      <label className="flex h-9 items-center gap-2">
        <input
          type="checkbox"
          className="size-4"
          checked={personalData}
          disabled={missing !== undefined || changed.isPending}
          onChange={({ target }) => changed.mutate({ personalData: target.checked })}
        />
        {t.personalData}
      </label>
      {changed.error && <Problem error={changed.error} />}
    </>
  );
}
