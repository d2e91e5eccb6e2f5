import { audit, changesBetween } from '@parley/audit/rows';
import type {
  CreateConsoleLinkRequest,
  CreateConsoleLinkResponse,
  IdentityAdminServiceService,
} from '@parley/contracts/identity/v1/identity';
import { memberLimits } from '@parley/contracts/limits';
import { isRole, roleNames } from '@parley/contracts/roles';
import type { Handlers } from '@parley/rpc/definition';
import { invalidRequest, notFound } from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { auditSessionsEnded, auditWorkspace } from '../auditing.ts';
import type { Leases } from '../leases/leases.ts';
import { digestOf, newToken } from '../rules/credential.ts';
import { keyNameFaults } from '../rules/key-power.ts';
import type { Tables } from '../schema.ts';
import { findWorkspace } from '../workspaces/store.ts';
import { insertLink, listMemberships, lockPeople } from './member-store.ts';
import { endSessionsOf, listOperators } from './session-store.ts';
import { endLeasesOf } from './sessions.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  leases: Leases;
}

type OperatorMethods = 'createConsoleLink' | 'listOperators' | 'endSessions';

export function operatorHandlers({
  db,
  peppers,
  leases,
}: Dependencies): Pick<Handlers<IdentityAdminServiceService>, OperatorMethods> {
  return {
    createConsoleLink: (request) => createConsoleLink(db, peppers, request),

    listOperators: async () => ({ operators: await listOperators(db) }),

    endSessions: async ({ personId }) => {
      if (!isUuid(personId)) throw notFound();
      const ended = await db.transaction().execute((trx) => endSessions(trx, personId));
      // Repeated calls too: an earlier one may have failed before this line.
      await endLeasesOf(db, leases, personId);
      return { ended };
    },
  };
}

async function createConsoleLink(
  db: Kysely<Tables>,
  peppers: Keyring,
  { workspaceId, role, name, isOperator }: CreateConsoleLinkRequest,
): Promise<CreateConsoleLinkResponse> {
  if (isOperator) return createOperatorLink(db, peppers, name);
  const faults = [
    ...(isRole(role) ? [] : [{ pointer: '/role', detail: `Must be one of ${roleNames.join(', ')}` }]),
    ...keyNameFaults(name),
  ];
  if (!isRole(role) || faults.length > 0) throw invalidRequest(faults);
  if (!isUuid(workspaceId) || !(await findWorkspace(db, workspaceId))) throw notFound();
  const id = uuidv7();
  const code = newToken('link', id);
  const link = { id, workspaceId, memberId: null, role, name, ...digestOf(peppers, code) };
  const expiresAt = await db.transaction().execute(async (trx) => {
    await auditWorkspace(trx, workspaceId, 'consoleLink.created', changesBetween({}, { role, name }));
    return insertLink(trx, link, memberLimits.consoleLinkSecondsMax);
  });
  return { code, expiresAt };
}

/** Returns how many sessions of the person it has ended. */
async function endSessions(trx: Kysely<Tables>, personId: string): Promise<number> {
  const [person] = await lockPeople(trx, [personId]);
  if (!person) throw notFound();
  const ended = await endSessionsOf(trx, personId);
  if (ended > 0) await auditSessionsEnded(trx, personId, await listMemberships(trx, personId));
  return ended;
}

async function createOperatorLink(
  db: Kysely<Tables>,
  peppers: Keyring,
  name: string,
): Promise<CreateConsoleLinkResponse> {
  const faults = keyNameFaults(name);
  if (faults.length > 0) throw invalidRequest(faults);
  const id = uuidv7();
  const code = newToken('link', id);
  const shared = { id, workspaceId: null, memberId: null, role: null, name, isOperator: true };
  const expiresAt = await db.transaction().execute(async (trx) => {
    const changes = changesBetween({}, { name, isOperator: true });
    await audit(trx, { workspaceId: null, action: 'consoleLink.created', targets: [], changes });
    return insertLink(trx, { ...shared, ...digestOf(peppers, code) }, memberLimits.consoleLinkSecondsMax);
  });
  return { code, expiresAt };
}
