import type { en } from './en.ts';

/** The widget's own texts in one language. */
export type Strings = typeof en;

/** A page's own texts for some of these. */
export type GivenStrings = { [Key in keyof Strings]?: string | undefined };
