import { useMemo, useState } from 'react';

/** As what the conversation is shown. */
export const looks = ['phone', 'page', 'email'] as const;

export type Look = (typeof looks)[number];

/** Where the conversation begins. Another object begins again. */
export interface From {
  /** Undefined: at the first step. */
  stepId: string | undefined;
  /** Whether the preview is shown to the person, and gets the focus. */
  isShown: boolean;
}

/** What a person has chosen for trying the definition. */
export interface Trying {
  look: Look;
  setLook(look: Look): void;
  from: From;
  begin(from: From): void;
}

export function useTrying(): Trying {
  const [look, setLook] = useState<Look>('phone');
  const [from, begin] = useState<From>({ stepId: undefined, isShown: false });
  return useMemo(() => ({ look, setLook, from, begin }), [look, from]);
}
