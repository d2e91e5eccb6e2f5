import type { Input } from './draft.ts';
import type { QuestionField } from './question-field.ts';
import { choice } from './types/choice.tsx';
import { date } from './types/date.tsx';
import { email } from './types/email.tsx';
import { longText } from './types/long-text.tsx';
import { multiChoice } from './types/multi-choice.tsx';
import { nps } from './types/nps.tsx';
import { number } from './types/number.tsx';
import { phone } from './types/phone.tsx';
import { rating } from './types/rating.tsx';
import { text } from './types/text.tsx';
import { time } from './types/time.tsx';
import { url } from './types/url.tsx';
import { yesNo } from './types/yes-no.tsx';

const fields: Record<Input['type'], QuestionField> = {
  text,
  longText,
  email,
  phone,
  url,
  choice,
  multiChoice,
  nps,
  rating,
  number,
  yesNo,
  date,
  time,
};

/** Returns how a question is answered. A question of an unknown type is answered by text. */
export function fieldOf({ type }: Pick<Input, 'type'>): QuestionField {
  return Object.hasOwn(fields, type) ? fields[type] : text;
}
