import { Link, useLocation } from '@tanstack/react-router';
import { HeartPulse } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useWorkspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { useSingleKeys } from '../ui/forms/single-keys.ts';
import { screens } from './screens.ts';

const entry =
  'flex items-center gap-2.5 rounded-md px-2.5 py-2 hover:bg-raised max-md:gap-1.5 max-md:px-2 max-md:whitespace-nowrap aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

/** Leads to the screens of the workspace, and an operator to the screen of the deployment. */
export function Navigation({ isOperator }: { isOperator: boolean }) {
  const { navigation, operator } = useTexts();
  const { id: workspaceId } = useWorkspace();
  const { pathname } = useLocation();
  const hasKeys = useSingleKeys();
  const list = useRef<HTMLUListElement>(null);
  // On phones, the list is wider than the window.
  useEffect(() => {
    list.current
      ?.querySelector('[aria-current=page]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav
      aria-label={navigation.label}
      className="max-md:border-b max-md:border-line md:sticky md:top-14 md:h-[calc(100dvh-3.5rem)] md:w-48 md:shrink-0"
    >
      <ul ref={list} className="flex gap-1 p-2 max-md:overflow-x-auto md:flex-col md:p-3">
        {screens.map(({ id, to, icon: Icon, key }) => (
          <li key={id}>
            <Link
              to={to}
              params={{ workspaceId }}
              activeOptions={{ exact: id === 'overview', includeSearch: false }}
              title={hasKeys ? `${navigation[id]} (g ${key})` : navigation[id]}
              className={entry}
            >
              <Icon size={16} aria-hidden="true" />
              {navigation[id]}
            </Link>
          </li>
        ))}
        {isOperator && (
          <li className="md:mt-2 md:border-t md:border-line md:pt-2">
            <Link to="/operator" className={entry}>
              <HeartPulse size={16} aria-hidden="true" />
              {operator.open}
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}
