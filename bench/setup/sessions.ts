import type { Session } from '@parley/contracts/interaction/v1/conversation';
import type { Secrets } from '@parley/local/files/secrets';
import { createGrantSigner, linkHolder, sessionGrantSeconds } from '@parley/rpc/grants';
import { keyring } from '@parley/runtime/config/keyring';
import { createSessions } from '../../services/gateway/src/auth/session.ts';

/** The keys of a deployment that sign sessions and their grants. */
export type SessionKeys = Pick<Secrets, 'sessionKeys' | 'identityKeys' | 'linkKeys'>;

/** Opens sessions without a call. */
export interface BenchSessions {
  issue(session: Session): Promise<string>;
}

/** Returns sessions that are signed as the services of a deployment do. */
export function createBenchSessions({ sessionKeys, identityKeys, linkKeys }: SessionKeys): BenchSessions {
  const sessions = createSessions(keyring.parse(sessionKeys), { nowMs: Date.now });
  const ofCustomers = createGrantSigner(keyring.parse(identityKeys));
  const ofLinks = createGrantSigner(keyring.parse(linkKeys));
  const grantFor = ({ workspaceId, subject }: Session): string => {
    const workspaceIds = [workspaceId];
    if (subject?.$case !== 'interaction') {
      return ofCustomers.issue({ workspaceIds, holder: subject }, sessionGrantSeconds);
    }
    const holder = { $case: 'link', value: linkHolder(subject.value) } as const;
    return ofLinks.issue({ workspaceIds, holder }, sessionGrantSeconds);
  };
  return { issue: (session) => sessions.issue(session, grantFor(session)) };
}
