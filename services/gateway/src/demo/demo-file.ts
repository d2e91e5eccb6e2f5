import { readFile } from 'node:fs/promises';
import { unavailable } from '@parley/runtime/errors';
import { z } from 'zod';

const talk = z.strictObject({
  botId: z.string(),
  priority: z.enum(['Low', 'Medium', 'High']),
  context: z.array(z.strictObject({ key: z.string(), value: z.string() })),
});

const schema = z.strictObject({
  workspaceId: z.string(),
  /** Of the workspace, for the requests that the page shows. */
  apiKey: z.string(),
  apiSecret: z.string(),
  /** Who is logged in at the shop. */
  customerId: z.string(),
  /** What the shop can have the customer asked, by the names that its page uses. */
  talks: z.record(z.string(), talk),
});

/** Who and what the demo is about: what a local run has made. */
export type Demo = z.output<typeof schema>;

/** Reads what the local run writes when all else is ready. UNAVAILABLE until then. */
export async function readDemo(path: string): Promise<Demo> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw unavailable('the demo is being made');
    throw error;
  }
}
