import { loadPatterns } from '@parley/bot/patterns';
import { startTransition, useEffect, useState } from 'react';
import { whenOnline } from '../../../data/online.ts';
import { runInParts } from '../../../in-parts.ts';
import { type Checked, checkDefinition, checkInSlices } from './check.ts';
import { definitionIn } from './draft/begin.ts';

/** The pause in typing after which a text is checked. */
const settledMs = 200;

/** What was found, and in which text. */
export interface CheckedText extends Checked {
  text: string;
}

/** Checks a text when typing rests, in parts between which keys are handled. `botKey` is the key of the bot. */
export function useChecked(text: string, botKey: string | undefined): CheckedText {
  const [checked, setChecked] = useState(() => ({ ...checkDefinition(text, botKey), text, botKey }));
  const isDone = checked.text === text && checked.botKey === botKey;
  useEffect(() => {
    if (isDone) return;
    const ended = new AbortController();
    const check = async (): Promise<void> => {
      // A check without them says so.
      await whenOnline(() => loadPatterns(definitionIn(text)))().catch(() => undefined);
      const found = await runInParts(checkInSlices(text, botKey), ended.signal);
      if (found) startTransition(() => setChecked({ ...found, text, botKey }));
    };
    const timer = setTimeout(() => void check(), settledMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [isDone, text, botKey]);
  return checked;
}
