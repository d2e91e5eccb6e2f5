import { readFile } from 'node:fs/promises';
import { packedFile } from '../files/packed-file.ts';

/** The landing page's script, and the fields of rare types of questions, which it loads. */
export const landingNames = ['landing.js', 'fields.js'] as const;

export type LandingScripts = Record<(typeof landingNames)[number], Buffer>;

/** Returns the scripts: the packed ones, or a new build of the sources. */
export async function landingScripts(): Promise<LandingScripts> {
  const [landing, fields] = await Promise.all(landingNames.map(scriptOf));
  if (!landing || !fields) throw new Error('each name has a script');
  return { 'landing.js': landing, 'fields.js': fields };
}

async function scriptOf(wanted: string): Promise<Buffer> {
  const packed = packedFile(wanted);
  if (packed) return readFile(packed);
  const { buildWidget } = await import('@parley/browser-files/build-widget');
  const { browserFiles, widgetDist } = await import('@parley/browser-files/files');
  await buildWidget();
  const file = browserFiles(widgetDist).find(({ name }) => name === wanted);
  if (!file) throw new Error(`the browser files have no ${wanted}`);
  return file.content;
}
