import { HealthService } from '@parley/contracts/health';
import type { Handlers } from './definition.ts';

/**
 * `grpc.health.v1` for the process as a whole: each check asks anew whether the work can be done. `Watch` is not
 * offered (UNIMPLEMENTED); kubelets and load balancers use `Check`.
 */
export function healthHandlers(isReady: () => Promise<boolean>): Handlers<typeof HealthService> {
  return {
    check: async () => {
      const ready = await isReady().catch(() => false);
      return { status: ready ? 'SERVING' : 'NOT_SERVING' };
    },
  };
}

export { HealthService };
