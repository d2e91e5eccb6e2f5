import { startTransition, useEffect, useState } from 'react';

/** Returns a text after a pause of `pauseMs` in its changes. What is shown of it then gives way to the next key. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(text)), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}
