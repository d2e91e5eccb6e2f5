import type { en } from './en.ts';

export type Strings = typeof en;

/** A page's own texts for some of these. */
export type GivenStrings = { [Key in keyof Strings]?: string | undefined };
