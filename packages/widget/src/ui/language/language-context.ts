import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Language, languageOf } from './language.ts';

/** The language of the screen that a component is in. */
export const LanguageContext = createContext<Language>(languageOf('en'));

export const useLanguage = () => useContext(LanguageContext);
