import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { liveMs } from './queries.ts';
import { useSessionOver } from './session/session.ts';

interface Live {
  isPaused: boolean;
  toggle(): void;
}

const LiveContext = createContext<Live>({ isPaused: false, toggle: () => {} });

export function LiveProvider({ children }: { children: ReactNode }) {
  const [isPaused, setPaused] = useState(false);
  const live = useMemo(() => ({ isPaused, toggle: () => setPaused((was) => !was) }), [isPaused]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLive(): Live {
  return use(LiveContext);
}

/** Returns options of a query that is repeated while the page is visible, and updates are not paused. */
export function useLiveOptions(): { refetchInterval: number | false } {
  const { isPaused } = useLive();
  const isOver = useSessionOver();
  return { refetchInterval: isPaused || isOver ? false : liveMs };
}
