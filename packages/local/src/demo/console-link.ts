import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import { createLogger } from '@parley/runtime/telemetry/logger';
import type { System } from '../system.ts';

/** Returns a URL that signs in as an owner of the demo workspace once, within 15 minutes. */
export async function createConsoleLink({ operator, local }: System): Promise<string> {
  const { baseUrl, workspaceId } = local();
  await using tls = openTls(operator.tls, 'cli', createLogger('local', 'silent'));
  using peer = connect(operator.identity, { token: operator.operatorToken, tls: tls?.to('identity') });
  const wanted = { workspaceId, role: 'owner', name: 'Operator' };
  const call = { requestId: 'local-start', timeoutMs: 10_000 };
  const { code } = await peer.client(IdentityAdminServiceService).createConsoleLink(wanted, call);
  return `${baseUrl}/console/sign-in/link#${code}`;
}
