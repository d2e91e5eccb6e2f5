import { Link, useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, Moon, Pause, Play, Sun, SunMoon } from 'lucide-react';
import type { CallerSession } from '@parley/client';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useLive } from '../data/live.tsx';
import { signOut } from '../data/session.ts';
import type { Workspace } from '../data/workspace.tsx';
import { languages, useLanguage, useTexts, type Language } from '../texts/texts.tsx';
import { type Shortcut, useShortcuts } from '../ui/shortcuts.tsx';
import { useToast } from '../ui/toast.tsx';
import { useProblem } from '../ui/problem.tsx';
import { CustomerSearch } from './customer-search.tsx';
import { themes, useTheme } from './theme.ts';

const Help = lazy(() => import('./help.tsx').then(({ Help: component }) => ({ default: component })));

const iconButton =
  'inline-flex size-9 shrink-0 items-center justify-center rounded-md hover:bg-raised aria-pressed:bg-warn-soft aria-pressed:text-warn';

interface Props {
  session: CallerSession;
  /** Undefined: the screen is about the deployment. */
  workspace?: Workspace;
}

/** The bar above all screens: workspace, search, and how the console looks. */
export function Header({ session, workspace }: Props) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { common } = useTexts();
  const { toggle } = useLive();
  const shortcuts = useMemo(
    (): Shortcut[] => [
      { keys: '?', label: common.help, run: () => setHelpOpen(true) },
      { keys: 'p', label: common.pauseUpdates, run: toggle },
    ],
    [common, toggle],
  );
  useShortcuts(shortcuts);
  return (
    <header className="top-0 z-20 border-b border-line bg-panel md:sticky md:h-14">
      <div className="mx-auto flex max-w-[110rem] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 md:h-14">
        <Brand workspace={workspace} />
        {workspace && <WorkspaceSwitch session={session} workspace={workspace} />}
        {workspace ? <CustomerSearch /> : <ToWorkspaces session={session} />}
        <div className="ml-auto flex items-center gap-1">
          <PauseButton />
          <button
            type="button"
            className={iconButton}
            aria-label={common.help}
            title={`${common.help} (?)`}
            onClick={() => setHelpOpen(true)}
          >
            <Keyboard size={17} aria-hidden="true" />
          </button>
          <ThemeButton />
          <LanguageSwitch />
          <span
            className="max-w-40 truncate pl-1 text-quiet max-lg:hidden"
            title={session.email ?? undefined}
          >
            {session.name}
          </span>
          <SignOutButton />
        </div>
      </div>
      <Suspense>{isHelpOpen && <Help close={() => setHelpOpen(false)} />}</Suspense>
    </header>
  );
}

function Brand({ workspace }: { workspace: Workspace | undefined }) {
  const look = 'text-base font-semibold tracking-tight';
  return workspace ? (
    <Link to="/w/$workspaceId" params={{ workspaceId: workspace.id }} className={look}>
      Parley
    </Link>
  ) : (
    <Link to="/operator" className={look}>
      Parley
    </Link>
  );
}

function ToWorkspaces({ session }: { session: CallerSession }) {
  const { operator: t } = useTexts();
  if (session.workspaces.length === 0) return null;
  return (
    <Link to="/" className="link whitespace-nowrap">
      {t.workspaces}
    </Link>
  );
}

function WorkspaceSwitch({ session, workspace }: { session: CallerSession; workspace: Workspace }) {
  const { common } = useTexts();
  const navigate = useNavigate();
  if (session.workspaces.length < 2)
    return <span className="max-w-48 truncate text-quiet">{workspace.name}</span>;
  return (
    <select
      aria-label={common.workspace}
      className="field max-w-48"
      value={workspace.id}
      onChange={({ target }) =>
        void navigate({ to: '/w/$workspaceId', params: { workspaceId: target.value } })
      }
    >
      {session.workspaces.map(({ workspaceId, name }) => (
        <option key={workspaceId} value={workspaceId}>
          {name}
        </option>
      ))}
    </select>
  );
}

function PauseButton() {
  const { common } = useTexts();
  const { isPaused, toggle } = useLive();
  const label = isPaused ? common.resumeUpdates : common.pauseUpdates;
  return (
    <button
      type="button"
      className={iconButton}
      aria-pressed={isPaused}
      aria-label={common.pauseUpdates}
      title={`${label} (p)`}
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
