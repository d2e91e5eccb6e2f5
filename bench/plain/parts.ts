import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The modules that can be replaced by plain libraries, by what they do. Below `packages`, without `.ts`. */
export const replaced = { calls: 'rpc/src/client/connect', pool: 'postgres/src/connecting/open' } as const;

export type Part = keyof typeof replaced;

/** Returns the flags of Node that replace the module in a service. */
export function plainFlags(part: Part): string[] {
  const preload = pathToFileURL(resolve(import.meta.dirname, 'preload.ts'));
  preload.search = `part=${part}`;
  return ['--import', preload.href];
}
