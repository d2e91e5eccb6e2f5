/** Whether this is the bundle of `build.ts`, and not the sources in their repository. */
export const isPacked = import.meta.url.endsWith('.js');

/** A file that `build.ts` has put beside the bundle; undefined where the sources run. */
export function packedFile(name: string): URL | undefined {
  return isPacked ? new URL(name, import.meta.url) : undefined;
}
