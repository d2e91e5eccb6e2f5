import { readFile } from 'node:fs/promises';
import { packedFile } from '../files/packed-file.ts';

export const landingName = 'landing.js';

/** Returns the landing page's script: the packed one, or a new build of the sources. */
export async function landingScript(): Promise<Buffer> {
  const packed = packedFile(landingName);
  if (packed) return readFile(packed);
  const { buildWidget } = await import('@parley/browser-files/build-widget');
  const { browserFiles, widgetDist } = await import('@parley/browser-files/files');
  await buildWidget();
  const landing = browserFiles(widgetDist).find(({ name }) => name === landingName);
  if (!landing) throw new Error('the browser files have no landing page');
  return landing.content;
}
