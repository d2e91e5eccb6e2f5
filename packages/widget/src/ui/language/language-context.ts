import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Language, languageOf } from './language.ts';

export const LanguageContext = createContext<Language>(languageOf('en'));

export const useLanguage = () => useContext(LanguageContext);
