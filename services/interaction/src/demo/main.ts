import { json } from 'node:stream/consumers';
import { perDetail } from '@parley/contracts/customer-details';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { z } from 'zod';
import { loadBot, loadDefinition } from '../bots/store.ts';
import { insertInteractions } from '../creating/creation-store.ts';
import type { Tables } from '../schema.ts';
import { heldInteraction, type Plan } from './held.ts';
import { Random } from './random.ts';

// A program of local runs. It stores conversations that customers of the demo might have held in the last month: the
// API creates nothing in the past. Standard input has what to create, and where.

const dayMs = 86_400_000;
const days = 30;
/** Customers are happier after this day: a better tea has come. */
const happierAfterDays = 18;

const wanted = z.strictObject({
  /** The URL of the interaction service's database, with its role. */
  databaseUrl: z.string(),
  workspaceId: z.uuid(),
  /** How many conversations each bot has, by its id. */
  bots: z.record(z.uuid(), z.int().positive()),
  customers: z.array(z.strictObject({ id: z.string(), ...perDetail(() => z.string().default('')) })).min(1),
});

const { databaseUrl, workspaceId, bots, customers } = wanted.parse(await json(process.stdin));
const random = new Random(20_260_101);
const now = new Date();
await using database = openDatabase<Tables>({
  url: databaseUrl,
  logger: createLogger('interaction', 'warn'),
});
const { db } = database;
const plans: Plan[] = [];
for (const [botId, count] of Object.entries(bots)) plans.push(...(await plansOf(botId, count)));
plans.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
const creations = plans.map((plan) => heldInteraction(plan, random, now));
await db.transaction().execute((trx) => insertInteractions(trx, creations));

async function plansOf(botId: string, count: number): Promise<Plan[]> {
  const bot = await loadBot(db, workspaceId, botId);
  const loaded = bot && (await loadDefinition(db, workspaceId, botId, bot.version));
  if (!loaded) throw new Error(`the workspace has no bot ${botId}`);
  const published = { version: bot.version, definition: loaded.definition };
  return Array.from({ length: count }, (): Plan => {
    const day = random.between(0, days);
    const createdAt = new Date(now.getTime() - (days - day) * dayMs);
    return { bot, published, person: random.pick(customers), createdAt, isHappier: day > happierAfterDays };
  });
}
