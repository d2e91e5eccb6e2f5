import { stream } from '@parley/contracts/events';
import type { BusConnection } from '@parley/nats/connection';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat, type Schedule } from '@parley/runtime/scheduling/schedule';

const checkMs = 2_000;
const answerMsMax = 1_000;
/** Unanswered checks after which the server is left: an election of the cluster can take as long. */
const unansweredMax = 2;
/** Checks that the next server may leave unanswered first. */
const graceChecks = 3;
/** Codes of JetStream: the cluster has no leader that the server can reach. */
const leaderless: ReadonlySet<number> = new Set([10_008]);

/**
 * Leaves a server of a cluster that is connected but cut off from the others: it answers pings, but not for JetStream.
 * Without it, a client would stay there as long as the links are cut.
 */
export function leaveIsolatedServers(connection: BusConnection, logger: Logger): Schedule {
  let unanswered = 0;
  return repeat('watch the NATS server', checkMs, logger, async () => {
    const current = connection.current();
    if (!current || !connection.isConnected() || current.getServers().length < 2) return;
    unanswered = (await isAnswered(connection)) ? 0 : unanswered + 1;
    if (unanswered < unansweredMax) return;
    unanswered = -graceChecks;
    logger.warn({ server: current.getServer() }, 'JetStream does not answer; trying another NATS server');
    await current.reconnect();
  });
}

async function isAnswered(connection: BusConnection): Promise<boolean> {
  try {
    const answer = await connection.request(`$JS.API.STREAM.INFO.${stream.name}`, '', answerMsMax);
    const { error } = JSON.parse(answer) as { error?: { err_code?: number } };
    return !leaderless.has(error?.err_code ?? 0);
  } catch {
    return false;
  }
}
