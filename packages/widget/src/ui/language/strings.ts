import { ar } from '../strings/ar.ts';
import { de } from '../strings/de.ts';
import { en } from '../strings/en.ts';
import { es } from '../strings/es.ts';
import { fr } from '../strings/fr.ts';
import type { Strings } from '../strings/strings.ts';

export type { GivenStrings, Strings } from '../strings/strings.ts';

/** By language. All other languages use the English texts. */
export const strings: Record<string, Strings> & { en: Strings } = { en, de, fr, es, ar };
