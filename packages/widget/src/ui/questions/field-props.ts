import type { Draft, Input } from './draft.ts';

/** The properties of every field. */
export interface FieldProps {
  input: Input;
  draft: Draft;
  onDraft(draft: Draft): void;
  /** Sends an answer after one press. */
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
