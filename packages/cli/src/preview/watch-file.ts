import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathOf } from '../named-file.ts';

/** Editors write in several goes, or put a new file in the place of the old one. */
const settleMs = 50;

/** Calls back when the file may have changed. Disposing of it ends it. */
export function watchFile(file: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  // The folder: the watch of a file ends with the file that an editor replaces.
  const watcher = watch(dirname(pathOf(file)), (_, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, settleMs);
  });
  return {
    [Symbol.dispose]: () => {
      watcher.close();
      clearTimeout(timer);
    },
  };
}
