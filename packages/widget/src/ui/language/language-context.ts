import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type WidgetLanguage, languageOf } from './language.ts';

export const LanguageContext = createContext<WidgetLanguage>(languageOf('en'));

export const useLanguage = () => useContext(LanguageContext);
