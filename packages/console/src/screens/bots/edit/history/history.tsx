import { Redo2, Undo2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { useTexts } from '../../../../texts/texts.tsx';
import { Button } from '../../../../ui/forms/button.tsx';
import type { TextDocument } from '../text-document.ts';
import { historyInput, historyKey } from './history-keys.ts';

type What = 'undo' | 'redo';
type Run = (what: What) => void;

/** Marks a field while it has text that the document does not have. The browser undoes what was typed there. */
export const ownHistory = { 'data-own-history': true };

/**
 * Returns what undoes and redoes the changes of a document, and what takes its keys within `root`. `onDone` gets where
 * the text has changed, in UTF-16 units.
 */
export function useHistory(
  document: TextDocument,
  root: RefObject<HTMLElement | null>,
  onDone: (what: What, at: number) => void,
): { run: Run; onKey(event: KeyboardEvent): void } {
  const run: Run = (what) => {
    const at = document[what]();
    if (at !== undefined) onDone(what, at);
  };
  return { run, onKey: useHistoryKeys(root, run) };
}

/** Runs the history also in fields: their own history does not know other changes. Returns what takes a key. */
function useHistoryKeys(root: RefObject<HTMLElement | null>, run: Run): (event: KeyboardEvent) => void {
  useEffect(() => {
    const place = root.current;
    // What the menu of a browser, or a gesture, undoes.
    const onInput = (event: InputEvent): void => {
      const what = historyInput(event);
      if (!what || (event.target as Element).closest('[data-own-history]')) return;
      event.preventDefault();
      run(what);
    };
    place?.addEventListener('beforeinput', onInput);
    return () => place?.removeEventListener('beforeinput', onInput);
  });
  return (event) => {
    const what = historyKey(event);
    const target = event.target as Element;
    // Windows above the screen are inside of it for React.
    if (!what || !root.current?.contains(target) || target.closest('[data-own-history]')) return;
    event.preventDefault();
    run(what);
  };
}

interface BarProps {
  document: TextDocument;
  run: Run;
  children: ReactNode;
}

/** Undo and redo, which stay in sight, with what else belongs there. */
export function HistoryBar({ document, run, children }: BarProps) {
  const { steps: t } = useTexts();
  const { undo, redo } = document.depths;
  return (
    <div className="sticky top-14 z-10 flex flex-wrap items-center gap-2 rounded-md border border-line bg-panel p-2 max-md:top-0 [div:has(>[role=alert])_&]:static">
      <Button isSmall reason={undo === 0 ? t.noUndo : undefined} onClick={() => run('undo')}>
        <Undo2 size={14} aria-hidden="true" />
        {t.undo}
      </Button>
      <Button isSmall reason={redo === 0 ? t.noRedo : undefined} onClick={() => run('redo')}>
        <Redo2 size={14} aria-hidden="true" />
        {t.redo}
      </Button>
      {children}
    </div>
  );
}
