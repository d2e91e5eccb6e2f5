import { figureOfKind } from '@parley/bot/questions';
import type { GetBotInsightRequest, InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { insightLimits } from '@parley/contracts/limits';
import { scans } from '@parley/postgres/sql/dialect';
import type { Handlers } from '@parley/rpc/definition';
import { commonRules, type RequestRules, resourceId } from '@parley/rpc/request-rules';
import { type Fault, invalidRequest, unavailable } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { type Readable, readLive } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';
import { readDays, readFigures } from './figures.ts';
import { questionsIn } from '../figures/outline.ts';
import { type Bots, readOutline } from './outlines.ts';
import { dailyNames, dayOf, evaluationOf, stepOf, totalsOf, waysOf, weeksOf } from './present.ts';
import { daysOf, isTimeZone, type Window, windowBefore } from './window.ts';

const { windowDaysMax } = insightLimits;
const windowMsMax = windowDaysMax * 86_400_000;

export const requestRules: RequestRules = {
  ...commonRules,
  botId: resourceId,
  tz: (value) => (isTimeZone(String(value)) ? undefined : 'Must be an IANA time zone, such as Europe/Berlin'),
};

interface Deps {
  db: Db;
  bots: Bots;
  logger: Logger;
}

/** Returns the handler of the RPC that reads figures. It fails while the interaction service is unavailable. */
export function readingHandlers(deps: Deps): Pick<Handlers<InsightServiceService>, 'getBotInsight'> {
  return {
    getBotInsight: async (request, { requestId, signal }) => {
      const call = { requestId, signal };
      const window = windowOf(request);
      const { workspaceId, botId, tz, withPrevious } = request;
      const { id, key, name, version: newest } = await deps.bots.getBot({ workspaceId, id: botId }, call);
      const version = versionOf(request, newest);
      const outline = await readOutline(deps, { workspaceId, botId }, version ?? newest, call);
      const { steps, stepIds, keys } = questionsIn(outline, version !== null);
      const nps = keys.find(({ kind }) => figureOfKind(kind) === 'score');
      const days = daysOf(window, tz);

      // All figures are of one instant.
      const snapshot = scans(deps.db)
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only');
      return snapshot.execute(async (trx) => {
        const { generation, asOf } = requireLive(await readLive(trx, workspaceId));
        const selection = { generation, workspaceId, botId, version };
        const figures = await readFigures(trx, selection, window);
        const daily = await readDays(trx, selection, window, { days, names: dailyNames(nps) });
        const before = windowBefore(window);
        return {
          botId: id,
          botKey: key,
          botName: name,
          ...window,
          asOf,
          totals: totalsOf(window, figures),
          previous: withPrevious ? totalsOf(before, await readFigures(trx, selection, before)) : null,
          steps: steps.map((step) => stepOf(step, figures)),
          ways: waysOf(stepIds, figures),
          evaluation: keys.map((one) => evaluationOf(one, figures)),
          days: daily.map((day) => dayOf(day, nps)),
          weeks: weeksOf(daily, nps),
        };
      });
    },
  };
}

/** Returns the live figures. UNAVAILABLE before they are built. */
function requireLive(readable: Readable): Extract<Readable, { isLive: true }> {
  if (readable.isLive) return readable;
  const { counted, total } = readable;
  // Not how many: these are of all workspaces.
  const percent = total === 0 ? 0 : Math.min(99, Math.floor((100 * counted) / total));
  throw unavailable(undefined, `The figures are being built for the first time: ${percent} %`);
}

/** INVALID_ARGUMENT for a window that is empty or too long. */
function windowOf({ from, to }: GetBotInsightRequest): Window {
  if (!from) throw fault('/from', 'Must be present');
  if (!to) throw fault('/to', 'Must be present');
  const ms = to.getTime() - from.getTime();
  if (ms <= 0) throw fault('/to', 'Must be after from');
  if (ms > windowMsMax) throw fault('/to', `Must be at most ${windowDaysMax} days after from`);
  return { from, to };
}

/** Null: all versions. INVALID_ARGUMENT for a version that the bot does not have. */
function versionOf({ version = null }: GetBotInsightRequest, newest: number): number | null {
  if (version !== null && (version < 1 || version > newest))
    throw fault('/version', 'Must be a version of the bot');
  return version;
}

function fault(pointer: Fault['pointer'], detail: string): Error {
  return invalidRequest([{ pointer, detail }]);
}
