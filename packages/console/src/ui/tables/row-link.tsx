import { type ToOptions, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { consolePath } from '../../environment.ts';
import { classes } from '../classes.ts';

interface Props {
  to: '/w/$workspaceId/interactions/$interactionId' | '/w/$workspaceId/customers/$customerId';
  params: Readonly<Record<string, string>>;
  children: ReactNode;
}

const preloaded = new Set<string>();

/**
 * The link in the first cell of a row. All of the row opens it. A scrolled list makes many of them, and one of the
 * router costs as much as the rest of its row.
 */
export function RowLink({ to, params, children }: Props) {
  const router = useRouter();
  const path = to.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const location = { to, params } as ToOptions;
  const open = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate(location);
  };
  const preload = (): void => {
    if (preloaded.has(to)) return;
    preloaded.add(to);
    void router.preloadRoute(location);
  };
  return (
    <a href={consolePath + path} className={look} onClick={open} onPointerEnter={preload}>
      {children}
    </a>
  );
}

const look = classes(
  'font-medium text-accent after:absolute after:inset-0 after:content-[""] hover:underline',
);
