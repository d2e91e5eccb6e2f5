import { setTimeout as pause } from 'node:timers/promises';
import { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { connect } from '@parley/rpc/connect';
import type { Deployment } from '../setup/deployment.ts';
import { seededAt } from '../setup/seed.ts';
import type { GrowthCase } from './cases.ts';

const hourSeconds = 3_600;
const daySeconds = 86_400;
const pollMs = 1_000;
const call = { requestId: 'bench' };

/** Counts the seeded interactions, which raised no events. Returns the seconds that it took. */
export async function countSeeded(
  { system }: Deployment,
  show: (line: string) => void,
  ended: AbortSignal,
): Promise<number> {
  const { insight, operatorToken } = system.operator;
  using peer = connect(insight, { token: operatorToken });
  const client = peer.client(InsightServiceService);
  const begunAt = performance.now();
  let shownAt = begunAt;
  let rebuild = await client.startRebuild({}, call);
  while (!rebuild.finishedAt) {
    await pause(pollMs, undefined, { signal: ended });
    rebuild = await client.getRebuild({}, call);
    if (performance.now() - shownAt < 60_000) continue;
    shownAt = performance.now();
    show(`${rebuild.counted.toLocaleString('en')} of ${rebuild.total.toLocaleString('en')} counted`);
  }
  return (performance.now() - begunAt) / 1_000;
}

/** Reads of the figures of a bot. The small workspace has interactions in the first hour only. */
export const insightCases: readonly GrowthCase[] = [
  insightCase('an hour', hourSeconds, 1.5),
  insightCase('a day', daySeconds),
  insightCase('30 days', 30 * daySeconds),
  insightCase('400 days', 400 * daySeconds),
];

function insightCase(title: string, seconds: number, ratioMax?: number): GrowthCase {
  return {
    title: `insight, ${title}`,
    against: 'insight, an hour',
    ...(ratioMax !== undefined && { ratioMax }),
    method: 'GET',
    path: ({ contents: { workspaceId, botIds } }) =>
      `/v1/workspaces/${workspaceId}/bots/${botIds[0] ?? ''}/insight?from=${seededAt(0)}&to=${seededAt(seconds)}`,
  };
}
