import { useSyncExternalStore } from 'react';
import { browserValues } from '../data/session/storage.ts';

/** What the person has chosen. `system`: as the browser prefers. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const themeKey = 'parley-console-theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const chosenTheme = (): Theme => {
  const stored = browserValues.getItem(themeKey);
  return themes.find((theme) => theme === stored) ?? 'system';
};

/** Gives the page its colours, now and whenever the choice or the preference changes. */
export function applyTheme(): void {
  const theme = chosenTheme();
  const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

prefersDark.addEventListener('change', applyTheme);

function choose(theme: Theme): void {
  browserValues.setItem(themeKey, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosenTheme);
  return [theme, choose];
}
