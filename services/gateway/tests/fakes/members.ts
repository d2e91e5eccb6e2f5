import type { IdentityServiceService, Member } from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { notFound, preconditionFailed } from '@parley/runtime/errors';
import type { Answer } from './answers.ts';
import { now } from './known.ts';

// The answers of the identity service about members.

export function fakeMembers(answer: Answer, { workspaceId, id }: Pick<Member, 'workspaceId' | 'id'>) {
  const member: Member = {
    id,
    workspaceId,
    personId: null,
    email: 'ada@shop.example',
    isEmailVerified: false,
    name: null,
    role: 'editor',
    personalData: true,
    origin: 'invitation',
    createdAt: now,
    lastSeenAt: null,
    groupsMissingSince: null,
    version: 5,
  };
  const only = (given: string, ifVersion?: number | null): Member => {
    if (given !== id) throw notFound();
    if (typeof ifVersion === 'number' && ifVersion !== member.version) throw preconditionFailed();
    return member;
  };
  return {
    listMembers: answer('listMembers', () => ({ members: [member], nextCursor: id })),
    getMember: answer('getMember', (request) => only(request.memberId)),
    inviteMember: answer('inviteMember', ({ email, role, personalData }) => ({
      member: { ...member, email, role, personalData },
      code: 'prl_lnk_new',
    })),
    updateMember: answer('updateMember', (request) => ({
      ...only(request.memberId, request.ifVersion),
      role: request.role ?? member.role,
      version: 6,
    })),
    removeMember: answer('removeMember', (request) => {
      only(request.memberId, request.ifVersion);
      return {};
    }),
    leaveWorkspace: answer('leaveWorkspace', () => ({})),
  } satisfies Partial<Handlers<typeof IdentityServiceService>>;
}
