/** The part of `Storage` that the console uses. */
type Values = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The values of all tabs of a browser. */
export const browserValues: Values = valuesOf('localStorage');
/** The values of one tab. */
export const tabValues: Values = valuesOf('sessionStorage');

/**
 * Returns values that never throw. Browsers deny the storage in frames of other sites and where cookies are blocked,
 * and a full storage takes no value. Such values last until the page is closed.
 */
function valuesOf(kind: 'localStorage' | 'sessionStorage'): Values {
  const unstored = new Map<string, string>();
  const tryWith = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      // Reading the property throws where the storage is denied.
      return use(window[kind]);
    } catch {
      return undefined;
    }
  };
  return {
    getItem: (key) => unstored.get(key) ?? tryWith((storage) => storage.getItem(key)) ?? null,
    setItem: (key, value) => {
      const isStored = tryWith((storage) => {
        storage.setItem(key, value);
        return true;
      });
      if (isStored) unstored.delete(key);
      else unstored.set(key, value);
    },
    removeItem: (key) => {
      unstored.delete(key);
      tryWith((storage) => storage.removeItem(key));
    },
  };
}
