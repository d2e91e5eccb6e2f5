import { type sendUnaryData, type ServerUnaryCall, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { service as definition } from 'grpc-health-check';

type Status = 'SERVING' | 'NOT_SERVING';

/**
 * `grpc.health.v1` for the process as a whole: each check asks anew whether the work can be done.
 * `watch` and `list` are not offered (UNIMPLEMENTED); kubelets and load balancers use `check`.
 */
export function healthService(isReady: () => Promise<boolean>): {
  definition: typeof definition;
  implementation: UntypedServiceImplementation;
} {
  return {
    definition,
    implementation: {
      check: (_call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<{ status: Status }>) => {
        void isReady().then(
          (ready) => reply(null, { status: ready ? 'SERVING' : 'NOT_SERVING' }),
          () => reply(null, { status: 'NOT_SERVING' }),
        );
      },
    },
  };
}

export { definition as healthDefinition };
