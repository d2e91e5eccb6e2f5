import { join } from 'node:path';
import { busAdmin, busUsers } from '@parley/contracts/bus-users';
import { z } from 'zod';
import { readJson, writePrivateJson } from './private-files.ts';
import { StartError } from '../processes/program.ts';

// The consumers of other teams that a data folder knows. Each start gives each of them a user of NATS.

/** Names of users of NATS: of Parley, and of connections between servers. */
const taken: readonly string[] = [...busUsers, busAdmin, 'route'];

const consumerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/)
  .refine((name) => !taken.includes(name));

const fileOf = (dataDir: string): string => join(dataDir, 'consumers.json');

/** Returns the names of the consumers, which are also the names of their durables. */
export async function readConsumers(dataDir: string): Promise<string[]> {
  const names = await readJson(fileOf(dataDir), z.array(consumerName), 'bring it back, or remove it');
  return names ?? [];
}

/** Adds a consumer for all later starts. Returns false if the folder has it. Throws `StartError` for another name. */
export async function addConsumer(dataDir: string, name: string): Promise<boolean> {
  if (!consumerName.safeParse(name).success) {
    const form = 'a letter, then up to 31 letters, digits and hyphens, in lower case';
    throw new StartError(`the name of a consumer is ${form}, and none of ${taken.join(', ')}`);
  }
  const names = await readConsumers(dataDir);
  if (names.includes(name)) return false;
  await writePrivateJson(fileOf(dataDir), [...names, name]);
  return true;
}
