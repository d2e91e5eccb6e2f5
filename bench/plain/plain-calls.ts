import { HealthService } from '@parley/contracts/health';
import type { connect as ours } from '@parley/rpc/connect';
import { connectPlain } from '../../packages/rpc/tests/plain-connect.ts';

// Replaces `@parley/rpc/connect`: each call is a unary call of grpc-js.

/** Connects to a peer. */
export const connect: typeof ours = (address, options) => {
  const { token } = options;
  const peer = connectPlain(address, { ...options, token: typeof token === 'string' ? token : token() });
  const health = peer.client(HealthService);
  return {
    ...peer,
    replicaStates: async () => [],
    isServing: async () => {
      const answer = health.check({ service: '' }, { requestId: 'health', timeoutMs: 2_000 });
      return await answer.then(
        ({ status }) => status === 'SERVING',
        () => false,
      );
    },
  };
};
