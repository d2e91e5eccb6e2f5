import type { Fault } from '@parley/runtime/errors';

export interface ErrorKind {
  /** HTTP status. */
  code: number;
  /** When the API returns it, for people who write clients. */
  when: string;
  /** An example. */
  detail: string;
  faults?: Fault[];
}

export const peopleErrors = {
  'invalid-link': {
    code: 401,
    when: 'the link of a sign-in or of the portal is used up, expired, replaced or wrong; the answer does not say which',
    detail: 'This link is not valid any more. Ask for another one',
  },
  'incomplete-link': {
    code: 401,
    when: 'the end of a link of a sign-in or of the portal is missing',
    detail: 'This link is incomplete. Open it from the message again, or copy all of it',
  },
  'invalid-sign-in': {
    code: 401,
    when: 'the answer of the sign-in provider is not valid, or came too late: the sign-in must begin again',
    detail: 'This sign-in is not valid. Please sign in again',
  },
  'no-membership': {
    code: 403,
    when: 'a person who has signed in with the provider is a member of no workspace, and no operator',
    detail: 'Ada is a member of no workspace. Ask for an invitation',
  },
  'operator-only': {
    code: 403,
    when: 'the call is about the deployment, and only for a person who has signed in as an operator',
    detail:
      'Only an operator may see the state of the deployment. Sign in with `parley console link --operator`',
  },
  'owner-only': {
    code: 403,
    when: 'only an owner, or a key of the operator with all scopes, can make, change or remove an owner',
    detail: 'Only an owner can make, change or remove an owner',
  },
  'not-for-caller': {
    code: 403,
    when: 'the call is for API keys only, for people only, or not for portal links; `detail` says which',
    detail: 'Only a person has a session. Revoke an API key instead',
  },
  'cross-site': {
    code: 403,
    when: 'a call with a cookie is not from a page of this site, or has no `x-parley-console`',
    detail:
      'A call with a cookie needs Sec-Fetch-Site: same-origin, or a matching Origin, and x-parley-console: 1',
  },
  'no-provider': {
    code: 404,
    when: 'the deployment has no sign-in provider',
    detail: 'This deployment has no sign-in provider',
  },
  'member-exists': {
    code: 409,
    when: 'the workspace has a member with that address',
    detail: 'The workspace has a member with this address',
  },
  'too-many-members': {
    code: 409,
    when: 'the workspace has the maximum number of members; `detail` has the number',
    detail: 'The workspace has 1000 members, the maximum',
  },
  'too-many-api-keys': {
    code: 409,
    when: 'the workspace has the maximum number of API keys; `detail` has the number',
    detail: 'The workspace has 1000 API keys, the maximum',
  },
  'too-many-portal-links': {
    code: 409,
    when: 'the workspace has the maximum number of portal links that are not over; `detail` has the number',
    detail: 'The workspace has 10000 portal links, the maximum',
  },
  'too-many-open-links': {
    code: 409,
    when: 'the bot has the maximum number of open links; `detail` has the number',
    detail: 'The bot has 1000 open links, the maximum: delete some',
  },
  'last-owner': {
    code: 409,
    when: 'the last owner of a workspace cannot be removed, and stays an owner',
    detail: 'The workspace must keep an owner',
  },
  'role-of-group': {
    code: 409,
    when: 'the role of the member comes from a group of the sign-in provider',
    detail: 'The role comes from a group of the sign-in provider: change it there',
  },
} satisfies Record<string, ErrorKind>;
