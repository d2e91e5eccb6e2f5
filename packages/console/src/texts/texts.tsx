import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { en } from './en/en.ts';
import { type Language, languageOf } from './language.ts';
import { browserValues } from '../data/session/storage.ts';

export type Texts = typeof en;

interface Chosen {
  language: Language;
  choose(language: Language): void;
  /** Whether its words could not be loaded. */
  hasFailed: boolean;
}

const languageKey = 'parley-console-language';
const TextsContext = createContext(en);
const LanguageContext = createContext<Chosen>({ language: 'en', choose: () => {}, hasFailed: false });

/** Gives the screens the words of the chosen language; of the browser's, if none was chosen. */
export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(() =>
    languageOf(browserValues.getItem(languageKey) ?? navigator.language),
  );
  const [texts, setTexts] = useState<Texts | undefined>(() => (language === 'en' ? en : undefined));
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const loaded = language === 'en' ? en : (await import('./de/de.ts')).de;
      if (!isCurrent) return;
      document.documentElement.lang = language;
      setFailed(false);
      setTexts(loaded);
    };
    load().catch(() => {
      setFailed(true);
      setTexts((before) => before ?? en);
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const chosen = useMemo(() => {
    const choose = (next: Language): void => {
      browserValues.setItem(languageKey, next);
      setLanguage(next);
    };
    return { language, choose, hasFailed };
  }, [language, hasFailed]);
  if (!texts) return null;
  return (
    <LanguageContext value={chosen}>
      <TextsContext value={texts}>{children}</TextsContext>
    </LanguageContext>
  );
}

export function useTexts(): Texts {
  return use(TextsContext);
}

export function useLanguage(): Chosen {
  return use(LanguageContext);
}
