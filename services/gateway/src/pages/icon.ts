import { join } from 'node:path';
import { iconPath } from '../http/answer/page.ts';
import { fileResource, type Resource } from '../http/answer/resource.ts';

export function iconResource(): Resource {
  return fileResource(iconPath, join(import.meta.dirname, 'favicon.ico'), 'image/x-icon');
}
