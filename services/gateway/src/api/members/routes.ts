import { emailForm } from '@parley/contracts/email';
import { customerLimits, memberLimits } from '@parley/contracts/limits';
import { z } from 'zod';
import { inWorkspace, notForCaller, type Route, route } from '../../http/server/route.ts';
import { member, personalData, role, toMember } from './present.ts';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import { id, text } from '../../values/text.ts';

const invitedEmail = text({ min: 1, max: customerLimits.emailCharactersMax })
  .refine((value) => emailForm.test(value), 'Must be an email address')
  .meta({ pattern: emailForm.source, examples: ['ada@shop.example'] });

const invitation = z
  .strictObject({
    email: invitedEmail,
    role,
    personalData: personalData.default(true),
  })
  .meta({ id: 'NewInvitation', examples: [{ email: 'ada@shop.example', role: 'editor' }] });

const change = z
  .strictObject({ role, personalData })
  .partial()
  .refine((given) => Object.keys(given).length > 0, 'Must have at least one of role, personalData')
  .meta({ id: 'MemberChange', minProperties: 1, examples: [{ role: 'viewer' }] });

const oneMember = inWorkspace.extend({ memberId: id.meta({ description: 'The id of the member' }) });

/** The usual limit, and the three seconds that a change waits for a gateway that cannot be notified. */
const changeTimeoutMs = 8_000;

const listMembers = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/members',
  access: 'key',
  scope: 'workspace:read',
  operationId: 'listMembers',
  clientMethod: 'members.list',
  tag: 'Members',
  summary: 'List the members of the workspace and the invitations, oldest first',
  params: inWorkspace,
  query: cursorQuery(memberLimits.pageSizeMax),
  data: z.array(member),
  handle: async ({ params: { workspaceId }, query: { cursor = '', limit } }, call, { identity }) => {
    const list = await identity.listMembers({ workspaceId, cursor, limit }, call.rpc());
    return { data: list.members.map(toMember), meta: cursorMeta(list.nextCursor) };
  },
});

const getMember = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/members/{memberId}',
  access: 'key',
  scope: 'workspace:read',
  operationId: 'getMember',
  clientMethod: 'members.get',
  tag: 'Members',
  summary: 'Get a member of the workspace',
  params: oneMember,
  data: member,
  handle: async ({ params }, call, { identity }) => {
    const row = await identity.getMember(params, call.rpc());
    return { data: toMember(row), version: row.version };
  },
});

const inviteMember = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/members/invitations',
  access: 'key',
  scope: 'workspace:write',
  operationId: 'inviteMember',
  clientMethod: 'members.invite',
  tag: 'Members',
  summary: 'Invite a person; the link of the invitation is shown only once',
  description: `The link is valid once, for 7 days. Parley sends no mail: pass it on. Another invitation of the same
address replaces the first one. The role must not do more than the caller (\`missing-scope\`), and only an owner makes
owners (\`owner-only\`). With a sign-in provider, the person signs in there. An \`Idempotency-Key\` is rejected (400).`,
  errors: ['owner-only', 'member-exists', 'too-many-members', 'lost-race'],
  params: inWorkspace,
  body: invitation,
  data: member
    .extend({
      url: z.string().meta({ examples: ['https://parley.example/console/sign-in/link#prl_lnk_...'] }),
    })
    .meta({ id: 'Invitation' }),
  idempotencyKey: 'refused',
  handle: async ({ params: { workspaceId }, body }, call, { identity, publicUrl }) => {
    const { version: callerVersion } = call.principal;
    const made = await identity.inviteMember({ workspaceId, callerVersion, ...body }, call.rpc());
    const url = `${publicUrl}/console/sign-in/link#${made.code}`;
    return { data: { ...toMember(required(made.member)), url } };
  },
});

const updateMember = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/members/{memberId}',
  access: 'key',
  scope: 'workspace:write',
  operationId: 'updateMember',
  clientMethod: 'members.update',
  tag: 'Members',
  summary: 'Change the role of a member, or whether it may see personal data',
  description: `After the answer, no gateway uses the former role. The caller must be able to do what the member can do
before and after the change. Only an owner changes owners, and a workspace keeps an owner once it has one. API keys,
invitations and portal links of the member that it could not make any more end.`,
  errors: ['owner-only', 'last-owner', 'role-of-group', 'lost-race'],
  params: oneMember,
  body: change,
  data: member,
  timeoutMs: changeTimeoutMs,
  handle: async ({ params, body }, call, { identity }) => {
    const { version: callerVersion } = call.principal;
    const { ifVersion } = call;
    const row = await identity.updateMember({ ...params, callerVersion, ifVersion, ...body }, call.rpc());
    return { data: toMember(row), version: row.version };
  },
});

const removeMember = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/members/{memberId}',
  access: 'key',
  scope: 'workspace:write',
  operationId: 'removeMember',
  clientMethod: 'members.remove',
  tag: 'Members',
  summary: 'Remove a member, or withdraw an invitation',
  description: `After the answer, no gateway gives the person access to the workspace. A person without a workspace is
signed out, unless it is an operator. API keys, invitations and portal links that the person made in the workspace end,
too. The caller must be able to do what the member can do.`,
  errors: ['owner-only', 'last-owner', 'lost-race'],
  params: oneMember,
  data: z.null(),
  timeoutMs: changeTimeoutMs,
  handle: async ({ params }, call, { identity }) => {
    await identity.removeMember({ ...params, ifVersion: call.ifVersion }, call.rpc());
    return { data: null };
  },
});

const leaveWorkspace = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/membership',
  access: 'key',
  scope: 'any',
  operationId: 'leaveWorkspace',
  clientMethod: 'members.leave',
  tag: 'Members',
  summary: 'Leave the workspace, as the calling person',
  description: `After the answer, no gateway gives the person access to the workspace. Without another workspace, the
person is signed out, unless it is an operator. API keys, invitations and portal links that it made in the workspace
end, too. A role of a group comes back at the next sign-in.`,
  errors: ['not-for-caller', 'last-owner'],
  params: inWorkspace,
  data: z.null(),
  timeoutMs: changeTimeoutMs,
  handle: async ({ params }, call, { identity }) => {
    if (call.principal.type !== 'person') throw notForCaller('Only a person can leave a workspace');
    await identity.leaveWorkspace(params, call.rpc());
    return { data: null };
  },
});

export const memberRoutes: Route[] = [
  // Before routes with an id in the place of `invitations`.
  inviteMember,
  listMembers,
  getMember,
  updateMember,
  removeMember,
  leaveWorkspace,
];
