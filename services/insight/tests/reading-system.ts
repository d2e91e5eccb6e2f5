import { randomUUID } from 'node:crypto';
import { type BotInsight, InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';
import { openDatabase } from '@parley/postgres/connecting/open';
import { connect } from '@parley/rpc/connect';
import { createGrantVerifier } from '@parley/rpc/grants';
import { serve, type Service } from '@parley/rpc/serve';
import { requireExisting } from '@parley/runtime/errors';
import { connectAsCallers, grantKeysService, testGrants } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger as logger } from '@parley/testing/quiet';
import { countsOf } from '../src/figures/counts.ts';
import { migrations } from '../src/migrations/index.ts';
import { readingHandlers, requestRules } from '../src/reading/handlers.ts';
import { beginOfHour } from '../src/figures/counters.ts';
import type { Db, Tables } from '../src/schema.ts';

const tokens = { service: 'a service token of a test', operator: undefined };

/** A version of a bot: its definition without the fields that all definitions share. */
export interface TestVersion {
  steps: object[];
  evaluation?: object;
  context?: object[];
}

/** A bot that the interaction service has. */
export interface TestBot {
  workspaceId: string;
  id: string;
  key: string;
  name: string;
  versions: { definition: string; publishedAt: Date }[];
}

/** A request: by default all versions, the days of UTC, and no previous window. */
export interface InsightRequest {
  from: Date;
  to: Date;
  tz?: string;
  version?: number | null;
  withPrevious?: boolean;
  workspaceId?: string;
}

/** The reading side of the service, with its database and a peer that has bots. */
export interface ReadingSystem extends AsyncDisposable {
  db: Db;
  /** The connections of the reading side. */
  own: Db;
  /** Which versions of bots were read from the peer. */
  readVersions: number[];
  publishBot(versions: TestVersion[]): TestBot;
  publishVersion(bot: TestBot, version: TestVersion): void;
  /** Counts interactions as the service does: by default to the live figures. */
  count(facts: readonly ConversationFacts[], to?: number): Promise<void>;
  insight(bot: Pick<TestBot, 'workspaceId' | 'id'>, request: InsightRequest): Promise<BotInsight>;
}

/** The generation of the live figures. */
const live = 1;
export const asOf = new Date('2026-06-01T12:00:00Z');

/** Starts it with empty live figures. */
export async function startReading(): Promise<ReadingSystem> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await createDatabase('insight', migrations));
  const { db } = starting.use(openDatabase<Tables>({ url: database.testUrl, logger }));
  const own = starting.use(openDatabase<Tables>({ url: database.url, logger, plansOnce: true }));
  await db
    .insertInto('generation')
    .values({ state: 'live', finishedAt: new Date(), scannedAt: new Date() })
    .execute();
  await db.insertInto('freshness').values({ cursor: '', asOf }).execute();

  const bots: TestBot[] = [];
  const readVersions: number[] = [];
  const serveAll = async (services: Service[]): Promise<string> => {
    const listen = { host: '127.0.0.1', port: 0 };
    const grants = createGrantVerifier(testGrants);
    const isReady = async (): Promise<boolean> => true;
    return starting.use(await serve({ listen, services, tokens, logger, grants, isReady })).address;
  };
  const interaction = await serveAll([grantKeysService(), botService(bots, readVersions)]);
  const peer = starting.use(connect(interaction, { token: tokens.service, caller: 'insight' }));
  const handlers = readingHandlers({ db: own.db, bots: peer.client(BotServiceService), logger });
  const insight = await serveAll([partialService(InsightServiceService, handlers, { rules: requestRules })]);
  const gateway = starting.use(connectAsCallers(insight, { token: tokens.service }));
  const client = gateway.client(InsightServiceService);

  const publishVersion: ReadingSystem['publishVersion'] = ({ key, name, versions }, version) => {
    const definition = JSON.stringify({ schemaVersion: 1, key, name, type: 'Feedback', ...version });
    versions.push({ definition, publishedAt: new Date(Date.UTC(2026, 0, versions.length + 1)) });
  };
  const stack = starting.move();
  return {
    db,
    own: own.db,
    readVersions,
    publishBot: (versions) => {
      const bot = {
        workspaceId: randomUUID(),
        id: randomUUID(),
        key: 'feedback',
        name: 'Feedback',
        versions: [],
      };
      bots.push(bot);
      for (const version of versions) publishVersion(bot, version);
      return bot;
    },
    publishVersion,
    count: (facts, to = live) => count(db, facts, to),
    insight: ({ workspaceId, id }, request) =>
      client.getBotInsight(
        { workspaceId, botId: id, tz: 'UTC', withPrevious: false, ...request },
        { requestId: 'test' },
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function botService(bots: readonly TestBot[], readVersions: number[]): Service {
  const find = (request: { workspaceId: string; id: string }): TestBot =>
    requireExisting(
      bots.find(({ workspaceId, id }) => workspaceId === request.workspaceId && id === request.id),
    );
  return partialService(BotServiceService, {
    getBot: async (request) => {
      const { id, key, name, versions } = find(request);
      return { id, key, name, context: [], version: versions.length };
    },
    getBotVersion: async (request) => {
      const { key, versions } = find(request);
      const { definition, publishedAt } = requireExisting(versions[request.version - 1]);
      readVersions.push(request.version);
      const version = {
        version: request.version,
        digest: '',
        publishedAt,
        publishedBy: 'operator',
        isLive: true,
      };
      return { key, definition, version };
    },
  });
}

async function count(db: Db, facts: readonly ConversationFacts[], generation: number): Promise<void> {
  const contributions = facts.map((one) => ({
    generation,
    interactionId: one.interactionId,
    workspaceId: one.workspaceId,
    botId: one.botId,
    botVersion: one.botVersion ?? 0,
    createdAt: one.createdAt ?? asOf,
    version: one.version,
    isStalled: one.isStalled,
    isOpen: false,
    isUnknown: false,
    deletedAt: null,
    counts: countsOf(one),
  }));
  const figures = new Map<string, number>();
  for (const { workspaceId, botId, botVersion, createdAt, counts } of contributions) {
    for (const [name, n] of Object.entries(counts)) {
      const figure = JSON.stringify({ workspaceId, botId, botVersion, hour: beginOfHour(createdAt), name });
      figures.set(figure, (figures.get(figure) ?? 0) + n);
    }
  }
  for (const rows of chunks(contributions)) {
    const values = rows.map(({ counts, ...row }) => ({ ...row, counts: JSON.stringify(counts) }));
    await db.insertInto('contribution').values(values).execute();
  }
  for (const rows of chunks([...figures])) {
    const values = rows.map(([figure, n]) => ({ generation, ...JSON.parse(figure), n }));
    await db.insertInto('figure').values(values).execute();
  }
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const size = 500;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
