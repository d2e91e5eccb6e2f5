import { useEffect, useState } from 'preact/hooks';
import type { Input } from './draft.ts';
import { island } from './fields/island.tsx';
import type { LoadedField } from './loaded-field.ts';
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

/** The types that every screen has. `loaded-fields.ts` has the others, which are loaded with their first question. */
const fields = {
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
} satisfies Partial<Record<Input['type'], QuestionField>>;

/** The names of fields that are loaded: all other types, and choices beside own words. */
export type LoadedName = Exclude<Input['type'], keyof typeof fields> | 'ownWords';

/** The name of the file of these fields, beside this one. The build of Parley's own bundles sets it. */
declare const fieldsChunk: string | undefined;

const loaded = new Map<string, QuestionField>();
let loading: Promise<void> | undefined;
let state: 'missing' | 'loaded' | 'failed' = 'missing';
let failures = 0;

type Asked = Pick<Input, 'type' | 'other'>;

function nameOf({ type, other }: Asked): string {
  return other === undefined ? type : 'ownWords';
}

function ownField(name: string): QuestionField | undefined {
  return Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined;
}

/** Returns how a question is answered. A question of an unknown type is answered by text. */
export function fieldOf(input: Asked): QuestionField {
  const name = nameOf(input);
  return ownField(name) ?? loaded.get(name) ?? text;
}

/**
 * Loads the field of a question; undefined if it is there, and after a failure. Never rejects: without the field, the
 * answer is text.
 */
export function loadField(input: Asked): Promise<void> | undefined {
  if (state !== 'missing' || ownField(nameOf(input)) !== undefined) return undefined;
  loading ??= importFields()
    .then(({ loadedFields }) => {
      for (const [name, { mount, unmount, ...field }] of Object.entries(loadedFields)) {
        loaded.set(name, { ...field, Field: island(mount, unmount) });
      }
      state = 'loaded';
    })
    .catch(() => {
      state = 'failed';
      failures += 1;
    })
    .finally(() => {
      loading = undefined;
    });
  return loading;
}

function importFields(): Promise<{ loadedFields: Record<string, LoadedField> }> {
  // Browsers cache a failed import: another query is another import.
  return failures > 0 && typeof fieldsChunk === 'string'
    ? import(new URL(`${fieldsChunk}?${failures}`, import.meta.url).href)
    : import('./loaded-fields.ts');
}

/** Returns whether the field of a question is there, or text stands in for it, and renders again when it is. */
export function useField(input: Asked | undefined): { isThere: boolean; retry?: () => void } {
  const [, render] = useState(0);
  const missing = input && loadField(input);
  useEffect(() => {
    let isShown = true;
    void missing?.then(() => isShown && render((times) => times + 1));
    return () => {
      isShown = false;
    };
  }, [missing]);
  if (missing || !input || state !== 'failed' || ownField(nameOf(input))) return { isThere: !missing };
  const retry = () => {
    state = 'missing';
    render((times) => times + 1);
  };
  return { isThere: true, retry };
}
