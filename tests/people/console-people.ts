import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import type { Role } from '@parley/contracts/roles';
import type { OperatorAccess } from '@parley/local/demo/demo';
import { connect } from '@parley/rpc/connect';
import { type Answer, type Api, api } from '@parley/testing/api';
import { expect } from 'vitest';

/** The header fields of a call from a page of the console. */
export const fromConsole = { 'sec-fetch-site': 'same-origin', 'x-parley-console': '1' };

export interface Person {
  /** `parley-session=...`. */
  cookie: string;
  personId: string;
  /** Calls below `/v1` from the console. */
  calls: Api;
}

/** Creates a link as the operator. Returns its code. */
export async function createLink(
  operator: OperatorAccess,
  workspaceId: string,
  role: Role = 'owner',
  name = 'Ada',
): Promise<string> {
  using identity = connect(operator.identity, { token: operator.operatorToken });
  const admin = identity.client(IdentityAdminServiceService);
  const { code } = await admin.createConsoleLink({ workspaceId, role, name }, { requestId: 'test-setup' });
  return code;
}

/** Creates a link that signs in an operator. Returns its code. */
export async function createOperatorLink(operator: OperatorAccess, name = 'Olga'): Promise<string> {
  using identity = connect(operator.identity, { token: operator.operatorToken });
  const admin = identity.client(IdentityAdminServiceService);
  const request = { workspaceId: '', role: '', name, isOperator: true };
  return (await admin.createConsoleLink(request, { requestId: 'test-setup' })).code;
}

/** Posts the code of a link, as its page does in a browser, which may have a cookie. */
export function openLink(
  baseUrl: string,
  code: string,
  cookie?: string,
): Promise<Answer<{ location: string }>> {
  const options = { body: { code }, headers: { ...fromConsole, ...(cookie && { cookie }) } };
  return api(baseUrl, undefined).call('POST', '/console/sign-in/link', options);
}

/** Returns the cookie of an answer, without its attributes. */
export function cookieOf({ headers }: Pick<Answer<unknown>, 'headers'>): string {
  return String(headers.getSetCookie()[0]?.split(';')[0]);
}

/** Returns calls below `/v1` from the console with a cookie. */
export function callsOfConsole(baseUrl: string, cookie: string): Api {
  return api(`${baseUrl}/v1`, undefined, { cookie, ...fromConsole });
}

/** Opens a link and returns the person whom it signs in. */
export async function signInBy(baseUrl: string, code: string): Promise<Person> {
  const opened = await openLink(baseUrl, code);
  expect([opened.status, opened.body.type]).toEqual([200, undefined]);
  const cookie = cookieOf(opened);
  const calls = callsOfConsole(baseUrl, cookie);
  const { body } = await calls.get<{ id: string }>('/session');
  return { cookie, personId: body.data.id, calls };
}

/** Signs in a new member who may not see personal data. */
export async function signInWithoutPersonalData(
  operator: OperatorAccess,
  { baseUrl, workspace }: { baseUrl: string; workspace: { id: string } },
  role: Role,
  name: string,
): Promise<Person> {
  const person = await signInBy(baseUrl, await createLink(operator, workspace.id, role, name));
  const owner = await signInBy(baseUrl, await createLink(operator, workspace.id));
  const members = `/workspaces/${workspace.id}/members`;
  const { body } = await owner.calls.get<{ memberId: string; personId: string | null }[]>(members);
  const member = body.data.find(({ personId }) => personId === person.personId);
  await owner.calls.patch(`${members}/${member?.memberId}`, { personalData: false });
  await person.calls.get('/session');
  return person;
}
