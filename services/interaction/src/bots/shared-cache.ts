/** A cache that workspaces share. It evicts what was used longest ago. */
export interface SharedCache<Value> {
  get(workspaceId: string, key: string): Value | undefined;
  /** Adds a value of `bytes` bytes of memory. */
  set(workspaceId: string, key: string, value: Value, bytes: number): void;
  delete(workspaceId: string, key: string): void;
}

/**
 * Returns an empty cache of at most `bytesMax`, of which a workspace holds at most `workspaceBytesMax`: beyond that, it
 * evicts its own values only. The value that was added last stays, whatever its size. `lru-cache` has no shares, and
 * drops a value that is too large.
 */
export function createSharedCache<Value>(bytesMax: number, workspaceBytesMax: number): SharedCache<Value> {
  // In the order of last use.
  const entries = new Map<string, { value: Value; workspaceId: string; bytes: number }>();
  const held = new Map<string, number>();
  let all = 0;

  const hold = (workspaceId: string, bytes: number): void => {
    all += bytes;
    const sum = (held.get(workspaceId) ?? 0) + bytes;
    if (sum === 0) held.delete(workspaceId);
    else held.set(workspaceId, sum);
  };

  const remove = (id: string): void => {
    const entry = entries.get(id);
    entries.delete(id);
    if (entry) hold(entry.workspaceId, -entry.bytes);
  };

  const evictFor = (workspaceId: string, added: string): void => {
    for (const [id, entry] of entries) {
      if ((held.get(workspaceId) ?? 0) <= workspaceBytesMax) break;
      if (id !== added && entry.workspaceId === workspaceId) remove(id);
    }
    for (const [id] of entries) {
      if (all <= bytesMax) break;
      if (id !== added) remove(id);
    }
  };

  return {
    get: (workspaceId, key) => {
      const id = `${workspaceId} ${key}`;
      const entry = entries.get(id);
      if (!entry) return undefined;
      entries.delete(id);
      entries.set(id, entry);
      return entry.value;
    },
    set: (workspaceId, key, value, bytes) => {
      const id = `${workspaceId} ${key}`;
      remove(id);
      entries.set(id, { value, workspaceId, bytes });
      hold(workspaceId, bytes);
      evictFor(workspaceId, id);
    },
    delete: (workspaceId, key) => remove(`${workspaceId} ${key}`),
  };
}
