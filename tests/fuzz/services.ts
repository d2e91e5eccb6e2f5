import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { OperatorAccess } from '@parley/local/demo/demo';
import { connect } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import { fuzzFrames } from './frames.ts';

const pathsOf = (definition: Record<string, { path: string }>): string[] =>
  Object.values(definition).map(({ path }) => path);

/** Sends hostile bytes to the services behind the gateway. A service that stops serving is a fault. */
export async function fuzzServices(
  operator: OperatorAccess,
  { connections, seed }: { connections: number; seed: number },
): Promise<string[]> {
  const services = [
    { address: operator.identity, paths: pathsOf(IdentityServiceService) },
    { address: operator.customer, paths: pathsOf(CustomerServiceService) },
    { address: operator.interaction, paths: pathsOf(BotServiceService) },
    { address: operator.webhook, paths: ['/grpc.health.v1.Health/Check'] },
  ];
  const tokens = [operator.operatorToken, 'wrong', undefined];
  const faults = await Promise.all(
    services.map(async ({ address, paths }) => {
      await fuzzFrames({ address, paths, tokens, connections, seed });
      using peer = connect(address, { token: operator.operatorToken });
      const serves = async (): Promise<void> => {
        if (!(await peer.isServing())) throw new Error(`${paths[0]}: the service has stopped serving`);
      };
      // It may take a while on a busy machine. A service that has stopped serving stays so.
      return await eventually(serves).then(
        () => [],
        (error: Error) => [error.message],
      );
    }),
  );
  return faults.flat();
}
