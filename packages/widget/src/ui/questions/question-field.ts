import type { ComponentChild } from 'preact';
import type { Language } from '../language/language.ts';
import type { Strings } from '../language/strings.ts';
import type { Draft, Input, Read } from './draft.ts';

export interface FieldProps {
  input: Input;
  draft: Draft;
  onDraft(draft: Draft): void;
  onAnswer(draft: Draft): void;
  /** True while an answer is being sent. The field takes no other. */
  isBusy: boolean;
  /** Unique among the questions: the name of checkboxes and the prefix of ids. */
  name: string;
  /** Ties the field to its question, its hint and its error. */
  aria: {
    'aria-labelledby': string;
    'aria-describedby': string;
    'aria-invalid': boolean;
    'aria-required': boolean;
  };
}

/** How a type of question is answered. `types.ts` lists all types. */
export interface QuestionField {
  /** The label of a field for typed text; null for a field whose question says enough. */
  label: keyof Strings | null;
  /** What sends the answer: a press in the field, or a button beside or below it. */
  sentBy: 'press' | 'button' | 'wideButton';
  /** Whether Enter adds a line, so that the answer is sent by another key. */
  hasLines: boolean;
  /** Whether the transcript shows the answer with the end of its scale. */
  isScale: boolean;
  Field(props: FieldProps): ComponentChild;
  /** Returns the answer of a draft, or why it is none yet. An untouched field has empty text. */
  readDraft(input: Input, draft: Draft, language: Pick<Language, 'number'>): Read;
  /** Returns the valid answers in words, if the question has bounds that the field does not show. */
  hintOf(input: Input, language: Language): string;
}
