import { hostname } from 'node:os';
import type { GetProcessStateResponse, ProcessServiceService } from '@parley/contracts/process/v1/process';
import { readMetrics } from '@parley/runtime/metrics/metric-values';
import { version } from '@parley/runtime/version';
import type { Handlers } from '../wire/definition.ts';

const startedAt = new Date(Date.now() - process.uptime() * 1_000);

export function processHandlers(isReady: () => Promise<boolean>): Handlers<ProcessServiceService> {
  return {
    getProcessState: async ({ metrics }) => {
      const ready = isReady();
      return { ...(await ownState(metrics)), isReady: await ready };
    },
  };
}

/** Returns the state of this process with these metrics. It is ready. */
export async function ownState(metrics: readonly string[]): Promise<GetProcessStateResponse> {
  const readings = await readMetrics([...new Set(metrics)]);
  return { version, startedAt, host: hostname(), isReady: true, readings };
}
