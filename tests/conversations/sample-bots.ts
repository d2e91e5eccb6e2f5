import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export function sampleBot(key: string): unknown {
  const file = resolve(import.meta.dirname, `../../packages/bot/samples/${key}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as unknown;
}

export const npsBot: unknown = sampleBot('nps-follow-up');
