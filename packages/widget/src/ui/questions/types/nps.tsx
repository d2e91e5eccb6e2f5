import { useLanguage } from '../../language/language-context.ts';
import { onScale, Scale } from '../fields/scale.tsx';
import type { FieldProps, QuestionField } from '../question-field.ts';

export const nps: QuestionField = { ...onScale, Field: Nps };

// The ends mean the same everywhere, so they are shown even without labels.
function Nps(props: FieldProps) {
  const { say } = useLanguage();
  const { labels } = props.input;
  return <Scale {...props} low={labels?.low ?? say('npsLow')} high={labels?.high ?? say('npsHigh')} />;
}
