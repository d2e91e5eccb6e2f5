import { createContext, use, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useSingleKeys } from './single-keys.ts';

/** A key, or two after one another such as `g i`. */
export interface Shortcut {
  keys: string;
  label: string;
  run(): void;
}

interface Registry {
  shortcuts: Shortcut[];
  add(shortcuts: Shortcut[]): () => void;
}

const ShortcutContext = createContext<Registry>({ shortcuts: [], add: () => () => {} });
const secondKeyMs = 1_500;

const fields = 'input, textarea, select, [contenteditable], [role=textbox]';

// The target of an event in a shadow tree is its host, so only the path has the field.
const isTyping = (event: KeyboardEvent): boolean =>
  event.isComposing || event.composedPath().some((node) => node instanceof Element && node.matches(fields));

export function ShortcutProvider({ children }: { children: ReactNode }) {
  const [groups, setGroups] = useState<Shortcut[][]>([]);
  const registry = useMemo(
    () => ({
      shortcuts: groups.flat(),
      add: (added: Shortcut[]) => {
        setGroups((before) => [...before, added]);
        return () => setGroups((before) => before.filter((one) => one !== added));
      },
    }),
    [groups],
  );
  const isOn = useSingleKeys();
  const first = useRef<{ key: string; at: number }>(undefined);
  // Before what has shortcuts is painted: its keys work as soon as it is seen.
  useLayoutEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (document.querySelector('[role=dialog], dialog[open]')) return;
      const { key: before, at = 0 } = first.current ?? {};
      const typed = event.timeStamp - at < secondKeyMs ? `${before} ${event.key}` : event.key;
      const found =
        registry.shortcuts.find(({ keys }) => keys === typed) ??
        registry.shortcuts.find(({ keys }) => keys === event.key);
      first.current = found ? undefined : { key: event.key, at: event.timeStamp };
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [registry, isOn]);
  return <ShortcutContext value={registry}>{children}</ShortcutContext>;
}

/** Adds shortcuts while a component is shown. `shortcuts` must be stable. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const { add } = use(ShortcutContext);
  const latest = useRef(add);
  latest.current = add;
  useLayoutEffect(() => latest.current(shortcuts), [shortcuts]);
}

export function useAllShortcuts(): Shortcut[] {
  return use(ShortcutContext).shortcuts;
}
