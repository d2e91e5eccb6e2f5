import { join } from 'node:path';
import { fileResource, type Resource } from '../http/resource.ts';

/** Where browsers look for the icon of a page that names none. */
export const iconPath = '/favicon.ico';

/** The product's icon, below the prefix of a path. */
export function iconResource(prefix: string): Resource {
  return fileResource(prefix + iconPath, join(import.meta.dirname, 'favicon.ico'), 'image/x-icon');
}
