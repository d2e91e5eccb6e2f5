import type { BrowserFile } from '@parley/browser-files/files';
import { sdkPath } from '../http/answer/page.ts';
import { createEncodingSelector, type Resource, sendFile, unknownRoute } from '../http/answer/resource.ts';

// Any page may load them, also an isolated one (COEP).
const openFields = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  Vary: 'Accept-Encoding',
};

const foreverFields = { ...openFields, 'Cache-Control': 'public, max-age=31536000, immutable' };

const hash = /-([A-Z0-9]{8})(?=\.js$)/;

/**
 * Returns the files of the browser SDK. Caches may store files with a hash in their name for ever and
 * must revalidate the others. A file with another hash is served with the current content, which caches must
 * revalidate: the page may be from an earlier deployment or another build. Files are compressed at their first request.
 */
export function sdkFileResources(files: BrowserFile[]): Resource[] {
  const served = files.map((file) => ({ file, pick: createEncodingSelector(file) }));
  const hashed = served.filter(({ file }) => file.isImmutable);
  return [
    ...served.map(({ file, pick }): Resource => {
      const fields = file.isImmutable ? foreverFields : openFields;
      return {
        path: sdkPath + file.path,
        show: async (context) => sendFile(context, await pick(context.request), fields),
      };
    }),
    ...hashed.map(({ file, pick }): Resource => {
      return {
        path: sdkPath + file.path.replace(hash, '-:hash'),
        show: async (context) => {
          if (!hash.test(context.request.path)) throw unknownRoute();
          sendFile(context, await pick(context.request), openFields);
        },
      };
    }),
  ];
}
