import { readFile } from 'node:fs/promises';
import { packedFile } from '../packed-file.ts';

export const landingName = 'landing.js';

/** The script of the customers' screen: that of the package, else built from its sources. */
export async function landingScript(): Promise<Buffer> {
  const packed = packedFile(landingName);
  if (packed) return readFile(packed);
  const { buildWidget } = await import('@parley/browser-files/build');
  const { widgetFiles } = await import('@parley/browser-files/files');
  await buildWidget();
  const landing = widgetFiles().find(({ name }) => name === landingName);
  if (!landing) throw new Error('the landing page is not among the browser files');
  return landing.content;
}
