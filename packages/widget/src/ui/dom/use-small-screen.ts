import { useEffect, useState } from 'preact/hooks';
import { smallScreen } from '../styles/small-screen.ts';

/** Returns whether the window has no room for a panel beside the page: a phone, or a zoomed page. */
export function useSmallScreen(): boolean {
  const [query] = useState(() => matchMedia(smallScreen));
  const [isSmall, setSmall] = useState(query.matches);
  useEffect(() => {
    const look = () => setSmall(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, [query]);
  return isSmall;
}
