import { readFile } from 'node:fs/promises';
import { unavailable } from '@parley/runtime/errors';
import { z } from 'zod';

const offer = z.strictObject({
  botId: z.string(),
  priority: z.enum(['Low', 'Medium', 'High']),
  context: z.array(z.strictObject({ key: z.string(), value: z.string() })),
});

const schema = z.strictObject({
  workspaceId: z.string(),
  /** The key of the workspace, for the requests that the page shows. */
  apiKey: z.string(),
  apiSecret: z.string(),
  customerId: z.string(),
  offers: z.record(z.string(), offer),
});

export type Demo = z.output<typeof schema>;

/** Reads the file that the local run writes when all else is ready. UNAVAILABLE until then. */
export async function readDemo(path: string): Promise<Demo> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw unavailable('the demo is not ready');
    throw error;
  }
}
