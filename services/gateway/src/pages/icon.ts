import { join } from 'node:path';
import { iconPath } from '../http/answer/page.ts';
import { fileResource, type Resource } from '../http/answer/resource.ts';

/** Returns the product's icon. */
export function iconResource(): Resource {
  return fileResource(iconPath, join(import.meta.dirname, 'favicon.ico'), 'image/x-icon');
}
