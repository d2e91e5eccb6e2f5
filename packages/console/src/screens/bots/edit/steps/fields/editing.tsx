import { renameContext, renameKey, renameResult } from '@parley/bot/editing/renames';
import { declareKey, setInBot, setInStep } from '@parley/bot/editing/steps';
import type { Path } from '@parley/bot/editing/json-edits';
import type { Schema } from '@parley/bot/editing/forms';
import { createContext, use } from 'react';
import { useTexts } from '../../../../../texts/texts.tsx';
import type { Mark } from '../../check.ts';
import { fieldsOf, none } from '../faults/advice.ts';
import { useAdvice } from '../faults/mark-words.ts';
import { fieldWords, type Outline } from './outline.ts';

/**
 * Changes the text of the definition. `isTyping`: as a part of what is being typed. Another change that breaks what
 * refers to something asks first, unless it `isSure`.
 */
export type Change = (
  edit: (text: string) => string,
  options?: { isTyping?: boolean; isSure?: boolean },
) => void;

/** What all cards share. `outline` is new when what can be chosen changes; the rest stays. */
interface Editing {
  schema: Schema;
  change: Change;
  /** Shows the translations of a step. */
  toTranslations(step: number | undefined): void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);
export const OutlineContext = createContext<Outline>({ locale: 'en', steps: [], values: [], keys: [] });

/** What is wrong in the card around. */
export const MarksContext = createContext<readonly Mark[]>(none);

/** Returns what to do about the fault of a field. */
export function useFieldFault(path: Path): string | undefined {
  const advise = useAdvice();
  const place = path.join('/');
  const found = use(MarksContext).find((mark) => fieldsOf(mark).join('/') === place);
  return found && advise(found);
}

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

/** Returns how the rest of a bot is edited. A new name of a value is also used where steps refer to it. */
export function useBotEdit(): Edit {
  const { change } = useEditing();
  return (path, value, { isTyping = false, declares, renames } = {}) =>
    change(
      (text) => {
        if (declares !== undefined && renames !== undefined) return renameResult(text, renames, declares);
        const [part, index, field] = path;
        if (part === 'context' && typeof index === 'number' && field === 'name')
          return renameContext(text, index, typeof value === 'string' ? value : '');
        return setInBot(text, path, value);
      },
      { isTyping },
    );
}

/** Returns the first words of what is new, for `newValue` and its like. */
export function useFirstWords(): (name: string, number?: number) => string {
  const { steps: t } = useTexts();
  return (name, number) =>
    number === undefined ? (t.firstWords[name] ?? fieldWords(t, name)) : t.option(number);
}
