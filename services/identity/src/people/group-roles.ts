import { isRole, type Role, roleNames } from '@parley/contracts/roles';
import { uuidOrUndefined } from '@parley/runtime/telemetry/span-ids';
import { z } from 'zod';

/** What makes a group operators, in the place of a role. It is of the whole deployment. */
const operator = 'operator';

/** The role of a group of the provider, in one workspace or in all, or that its people are operators. */
export interface GroupRole {
  group: string;
  role: Role | typeof operator;
  workspaceId: string | undefined;
}

/** Parses `group=role`, `group=role@WORKSPACE_ID`, `group=operator`, separated by commas. A group may contain `=`. */
export const groupRoles = z.string().transform((value, context): GroupRole[] => {
  const parts = value.split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part, index) => {
      const [, group = '', role = '', workspaceId] = /^(.+)=([a-z]+)(?:@(.+))?$/.exec(part) ?? [];
      const isWorkspace = workspaceId === undefined || uuidOrUndefined(workspaceId) !== undefined;
      if (role === operator && workspaceId === undefined) return { group, role, workspaceId };
      if (isRole(role) && isWorkspace) return { group, role, workspaceId: workspaceId?.toLowerCase() };
      const roles = roleNames.join(', ');
      context.addIssue({
        code: 'custom',
        message:
          `entry ${index + 1} must be GROUP=ROLE or GROUP=ROLE@WORKSPACE_ID, with one of the roles ${roles}, ` +
          `or GROUP=${operator}`,
      });
      return z.NEVER;
    });
});

/** Returns the strongest role that groups give in each of the workspaces. Without one, a workspace is left out. */
export function rolesOfGroups(
  settings: readonly GroupRole[],
  groups: readonly string[],
  workspaceIds: readonly string[],
): Map<string, Role> {
  const own = settings.filter(({ group }) => groups.includes(group));
  const roles = new Map<string, Role>();
  for (const id of workspaceIds) {
    const given = own.filter(({ workspaceId }) => workspaceId === undefined || workspaceId === id);
    const strongest = roleNames.find((role) => given.some((one) => one.role === role));
    if (strongest) roles.set(id, strongest);
  }
  return roles;
}

export function isOperatorBy(settings: readonly GroupRole[], groups: readonly string[]): boolean {
  return settings.some(({ group, role }) => role === operator && groups.includes(group));
}
