import type { FieldProps } from '../question-field.ts';
import { TextField } from './text-field.tsx';

/** The browser's own field for a day or a time. */
export function MomentField({ type, ...props }: FieldProps & { type: 'date' | 'time' }) {
  const { min, max } = props.input;
  return <TextField {...props} attributes={{ type, min, max, dir: undefined }} />;
}
