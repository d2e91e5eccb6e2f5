import { type WidgetFile, widgetFiles } from '@parley/widget/files';
import type { Config } from './config.ts';
import { demoResources } from './demo/resources.ts';
import { landingPrefix, landingResource, landingStyle } from './landing.ts';
import type { Peers } from './peers.ts';
import type { Resource } from './resource.ts';
import { sdkFileResources } from './sdk-files.ts';

/**
 * What browsers of customers load: the SDK, the landing page, and the demo where there is one. `now` is a clock in
 * milliseconds. Throws when the SDK's files were not built.
 */
export function browserResources(config: Config, peers: Peers, now: () => number): Resource[] {
  const { landingUrl, publicUrl, demoFile } = config;
  const files = [...widgetFiles(), landingStyle()];
  const { conversations } = peers;
  const script = pathOf(files, 'landing.js');
  const prefix = landingPrefix(landingUrl);
  return [
    landingResource({ url: landingUrl, publicUrl, script, conversations }),
    ...sdkFileResources(files, ''),
    ...(prefix === '' ? [] : sdkFileResources(files, prefix)),
    ...(demoFile === undefined ? [] : demoResources({ file: demoFile, landingUrl, peers, now })),
  ];
}

function pathOf(files: WidgetFile[], wanted: string): string {
  const file = files.find(({ name }) => name === wanted);
  if (!file) throw new Error(`the browser files have no ${wanted}`);
  return file.path;
}
