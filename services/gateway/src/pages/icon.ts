import { join } from 'node:path';
import { fileResource, type Resource } from '../http/resource.ts';

/** The path of the icon of pages that name none. */
export const iconPath = '/favicon.ico';

/** Returns the product's icon below a prefix. */
export function iconResource(prefix: string): Resource {
  return fileResource(prefix + iconPath, join(import.meta.dirname, 'favicon.ico'), 'image/x-icon');
}
