import { Choices } from './choices.tsx';
import type { FieldProps } from './field-props.ts';
import { Options } from './options.tsx';
import { Scale } from './scale.tsx';
import { TextField } from './text-field.tsx';

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
