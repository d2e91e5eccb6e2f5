import { insightLimits } from '@parley/contracts/limits';
import { AppError } from '@parley/runtime/errors';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { insight, toInsight } from './present.ts';
import { largestVersion } from '../../values/count.ts';
import { wholeNumber } from '../../values/query.ts';
import { id } from '../../values/text.ts';
import { instant } from '../../values/timestamp.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The length of a window without `from`. */
const windowDays = 30;

const { windowDaysMax } = insightLimits;

/** The longest name of a time zone has about 30. */
const timeZoneCharactersMax = 64;
const timeZoneForm = /^[A-Za-z][\w+/-]*$/;

/** The schema of a time zone: a name of the IANA database. Offsets such as `+02:00` have no name there. */
const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'Must be an IANA time zone, such as UTC or Europe/Berlin' })
  .meta({ pattern: timeZoneForm.source, examples: ['Europe/Berlin'] });

function isTimeZone(name: string): boolean {
  if (name.length > timeZoneCharactersMax || !timeZoneForm.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

const filters = z.object({
  from: instant.optional().meta({
    description: `Only interactions created at or after this instant. Default: ${windowDays} days before \`to\`, at the full hour (UTC)`,
  }),
  to: instant.optional().meta({
    description: `Only interactions created before this instant, at most ${windowDaysMax} days after \`from\`. Default: now`,
  }),
  tz: timeZone.default('UTC').meta({ description: 'The time zone in which days begin: a name of IANA' }),
  version: wholeNumber(1, largestVersion)
    .optional()
    .meta({ description: 'Only conversations on this version of the bot', examples: [2] }),
  compare: z
    .enum(['previous'])
    .optional()
    .meta({ description: 'Also answers the totals of the window of the same length before this one' }),
});

const query = filters.check(({ value, issues }) => {
  const { from, to } = windowOf(value, new Date());
  const isUntilNow = value.to === undefined;
  const refuse = (message: string): void =>
    void issues.push({ code: 'custom', path: [isUntilNow ? 'from' : 'to'], message, input: value });
  if (from >= to)
    refuse(isUntilNow ? 'Must be before now, where the window ends without to' : 'Must be after from');
  else if (to.getTime() - from.getTime() > windowDaysMax * dayMs)
    refuse(
      `The window must have at most ${windowDaysMax} days${isUntilNow ? ': without to, it ends now' : ''}`,
    );
});

const getInsight = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/bots/{botId}/insight',
  access: 'key',
  scope: 'insight:read',
  operationId: 'getBotInsight',
  clientMethod: 'bots.getInsight',
  tag: 'Bots',
  summary: 'Get the figures of a bot: how many answer, where they stop, and what they say',
  description: `Counts the interactions that were created in the window, by their state at \`asOf\`. Figures are exact,
except times, which are at most 5 % off.`,
  errors: ['no-insight'],
  params: inWorkspace.extend({ botId: id.meta({ description: 'The id of the bot' }) }),
  query,
  data: insight,
  handle: async ({ params: { workspaceId, botId }, query }, call, { insight: figures }) => {
    if (!figures) throw new AppError('not_found', 'no-insight', 'This deployment has no insight service');
    const { tz, version, compare } = query;
    const window = windowOf(query, new Date());
    const request = { workspaceId, botId, ...window, tz, version, withPrevious: compare === 'previous' };
    const row = await figures.getBotInsight(request, call.rpc()).catch((error: unknown) => {
      throw pointerInQuery(error);
    });
    const data = toInsight(row);
    // Without the instants, which change from call to call.
    const { asOf: _asOf, from: _from, to: _to, previous, ...figuresOnly } = data;
    const { from: _before, to: _until, ...before } = previous ?? {};
    return { data, tagged: JSON.stringify([figuresOnly, before]) };
  },
});

export const insightRoutes: Route[] = [getInsight];

function windowOf({ from, to }: { from?: Date | undefined; to?: Date | undefined }, now: Date) {
  const end = to ?? now;
  const start = Math.floor((end.getTime() - windowDays * dayMs) / hourMs) * hourMs;
  return { from: from ?? new Date(start), to: end };
}

// The service names the fields of its request.
function pointerInQuery(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.faults) return error;
  const faults = error.faults.map(({ pointer, detail }) => ({ pointer: `/query${pointer}`, detail }));
  return new AppError(error.code, error.type, error.message, { faults, cause: error });
}
