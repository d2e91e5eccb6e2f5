import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../data/workspace.tsx';
import { useTexts } from '../texts/texts.tsx';
import { screens } from './screens.ts';

export function Navigation() {
  const { navigation } = useTexts();
  const { id: workspaceId } = useWorkspace();
  return (
    <nav
      aria-label={navigation.label}
      className="max-md:border-b max-md:border-line md:sticky md:top-14 md:h-[calc(100dvh-3.5rem)] md:w-48 md:shrink-0 md:border-r md:border-line"
    >
      <ul className="flex gap-1 p-2 max-md:overflow-x-auto md:flex-col md:p-3">
        {screens.map(({ id, to, icon: Icon, key }) => (
          <li key={id}>
            <Link
              to={to}
              params={{ workspaceId }}
              activeOptions={{ exact: id === 'overview', includeSearch: false }}
              title={`${navigation[id]} (g ${key})`}
              className="flex items-center gap-2.5 rounded-md px-2.5 py-2 hover:bg-raised max-md:gap-1.5 max-md:px-2 max-md:whitespace-nowrap aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
            >
              <Icon size={16} aria-hidden="true" />
              {navigation[id]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
