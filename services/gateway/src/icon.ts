import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entityTag } from './conditional.ts';
import { once, type Resource, sendFile } from './resource.ts';

/** Where browsers look for the icon of a page that names none. */
export const iconPath = '/favicon.ico';

const read = once(async () => {
  const content = await readFile(join(import.meta.dirname, 'favicon.ico'));
  return { type: 'image/x-icon', content, tag: entityTag(content) };
});

/** The product's icon, below the prefix of a path. */
export function iconResource(prefix: string): Resource {
  return { path: prefix + iconPath, show: async (current) => sendFile(current, await read()) };
}
