// `build.ts` bundles the sources into a `.js` file.
const isPacked = import.meta.url.endsWith('.js');

/** A file that `build.ts` writes beside the bundle; undefined where the sources run. */
export function packedFile(name: string): URL | undefined {
  return isPacked ? new URL(name, import.meta.url) : undefined;
}
