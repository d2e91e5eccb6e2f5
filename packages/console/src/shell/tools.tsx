import { Keyboard, LogOut, Moon, Pause, Play, Sun, SunMoon } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { useLive } from '../data/live.tsx';
import { signOut } from '../data/session/session.ts';
import { type Language, languages } from '../texts/language.ts';
import { useLanguage, useTexts } from '../texts/texts.tsx';
import { part } from '../ui/part.tsx';
import { useProblem } from '../ui/problem.tsx';
import { type Shortcut, useShortcuts } from '../ui/forms/shortcuts.tsx';
import { useSingleKeys } from '../ui/forms/single-keys.ts';
import { useToast } from '../ui/toast.tsx';
import { themes, useTheme } from './theme.ts';

const Help = part(() => import('./help.tsx'), 'Help');

const iconButton =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-md hover:bg-raised aria-pressed:bg-warn-soft aria-pressed:text-warn';

/** How the console looks, its keys, and the way out. `who` says who is signed in. */
export function Tools({ who, title }: { who: string; title?: string | undefined }) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { common } = useTexts();
  const { toggle } = useLive();
  const hasKeys = useSingleKeys();
  const shortcuts = useMemo(
    (): Shortcut[] => [
      { keys: '?', label: common.help, run: () => setHelpOpen(true) },
      { keys: 'p', label: common.pauseUpdates, run: toggle },
    ],
    [common, toggle],
  );
  useShortcuts(shortcuts);
  return (
    <div className="ml-auto flex items-center gap-1">
      <PauseButton />
      <button
        type="button"
        className={iconButton}
        aria-label={common.help}
        title={hasKeys ? `${common.help} (?)` : common.help}
        onClick={() => setHelpOpen(true)}
      >
        <Keyboard size={17} aria-hidden="true" />
      </button>
      <ThemeButton />
      <LanguageSwitch />
      <span className="max-w-40 truncate pl-1 text-quiet max-lg:hidden" title={title}>
        {who}
      </span>
      <SignOutButton />
      <Suspense>{isHelpOpen && <Help close={() => setHelpOpen(false)} />}</Suspense>
    </div>
  );
}

function PauseButton() {
  const { common } = useTexts();
  const { isPaused, toggle } = useLive();
  const label = isPaused ? common.resumeUpdates : common.pauseUpdates;
  const hasKeys = useSingleKeys();
  return (
    <button
      type="button"
      className={iconButton}
      aria-pressed={isPaused}
      aria-label={common.pauseUpdates}
      title={hasKeys ? `${label} (p)` : label}
      onClick={toggle}
    >
      {isPaused ? <Play size={17} aria-hidden="true" /> : <Pause size={17} aria-hidden="true" />}
    </button>
  );
}

function ThemeButton() {
  const { common } = useTexts();
  const [theme, choose] = useTheme();
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const Icon = { system: SunMoon, light: Sun, dark: Moon }[theme];
  const label = `${common.theme}: ${common.themes[theme]}`;
  return (
    <button
      type="button"
      className={iconButton}
      aria-label={label}
      title={label}
      onClick={() => choose(next)}
    >
      <Icon size={17} aria-hidden="true" />
    </button>
  );
}

function LanguageSwitch() {
  const { common } = useTexts();
  const { language, choose } = useLanguage();
  return (
    <select
      aria-label={common.language}
      className="h-9 rounded-md bg-transparent px-1 hover:bg-raised"
      value={language}
      onChange={({ target }) => choose(target.value as Language)}
    >
      {Object.entries(languages).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

function SignOutButton() {
  const { common } = useTexts();
  const toast = useToast();
  const words = useProblem();
  const ended = useMutation({ mutationFn: signOut, onError: (error) => toast(words(error)) });
  return (
    <button
      type="button"
      className={iconButton}
      aria-label={common.signOut}
      title={common.signOut}
      disabled={ended.isPending}
      onClick={() => ended.mutate()}
    >
      <LogOut size={17} aria-hidden="true" />
    </button>
  );
}
