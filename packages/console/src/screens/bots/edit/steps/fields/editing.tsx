import { declareKey, renameKey, setInStep } from '@parley/bot/editing/steps';
import type { Path } from '@parley/bot/editing/json-edits';
import type { Schema } from '@parley/bot/editing/forms';
import { createContext, use } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import { fieldWords, type Outline } from './outline.ts';

/** Changes the text of the definition. `isTyping`: as a part of what is being typed. */
export type Change = (edit: (text: string) => string, options?: { isTyping?: boolean }) => void;

/** What all cards share. `outline` is new when what can be chosen changes; the rest stays. */
interface Editing {
  schema: Schema;
  change: Change;
}

export const EditingContext = createContext<Editing | undefined>(undefined);
export const OutlineContext = createContext<Outline>({ locale: 'en', steps: [], values: [], keys: [] });

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (!editing) throw new Error('There is no editor around');
  return editing;
}

export function useOutline(): Outline {
  return use(OutlineContext);
}

/** Options of an edit. `renames`: a result that gets the name that is declared, also where steps read it. */
interface EditOptions {
  isTyping?: boolean;
  declares?: string;
  renames?: string | undefined;
}

/** Sets a value of a step; removes it if undefined. A new name of a result is declared, too. */
export type Edit = (path: Path, value: unknown, options?: EditOptions) => void;

/** Returns how a step is edited. */
export function useEdit(index: number): Edit {
  const { change } = useEditing();
  return (path, value, { isTyping = false, declares, renames } = {}) =>
    change(
      (text) => {
        if (declares !== undefined && renames !== undefined) return renameKey(text, index, renames, declares);
        const changed = setInStep(text, index, path, value);
        return declares === undefined || declares === '' ? changed : declareKey(changed, declares);
      },
      { isTyping },
    );
}

/** Returns the first words of what is new, for `newValue` and its like. */
export function useFirstWords(): (name: string, number?: number) => string {
  const { steps: t } = useTexts();
  return (name, number) => (number === undefined ? fieldWords(t, name) : t.option(number));
}
