import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors save with several writes, or replace the file. */
const settleMs = 50;

/** Calls back when the file may have changed, until disposal. */
export function watchFile(file: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  // Watches the folder, because the watch of a file ends when an editor replaces it.
  const watcher = watch(dirname(file), (_, name) => {
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
