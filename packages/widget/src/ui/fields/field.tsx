import type { Draft, Input } from '../draft.ts';
import { Choices } from './choices.tsx';
import { Options } from './options.tsx';
import { Scale } from './scale.tsx';
import { TextField } from './text-field.tsx';

/** What every field is given. */
export interface FieldProps {
  input: Input;
  draft: Draft;
  onDraft(draft: Draft): void;
  /** One press has answered. */
  onAnswer(draft: Draft): void;
  /** True while an answer is on its way: the field takes no other. */
  isBusy: boolean;
  /** Unlike that of any other question: of the checkboxes, and the start of ids. */
  name: string;
  /** What ties the field to its question, its hint and what is wrong with it. */
  aria: {
    'aria-labelledby': string;
    'aria-describedby': string;
    'aria-invalid': boolean;
    'aria-required': boolean;
  };
}

/** The field for a question, by its type. */
export function Field(props: FieldProps) {
  switch (props.input.type) {
    case 'choice':
    case 'yesNo':
      return <Choices {...props} />;
    case 'multiChoice':
      return <Options {...props} />;
    case 'nps':
    case 'rating':
      return <Scale {...props} />;
    default:
      return <TextField {...props} />;
  }
}
