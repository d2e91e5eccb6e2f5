import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LiveProvider } from './data/live.tsx';
import { queries } from './data/queries.ts';
import { portalWorkspace } from './environment.ts';
import { createConsoleRouter } from './router.tsx';
import { NoWords, Offline } from './shell/offline.tsx';
import { SessionOver } from './shell/session-over.tsx';
import { applyTheme } from './shell/theme.ts';
import { TextsProvider } from './texts/texts.tsx';
import { keepCompositions } from './ui/forms/composing.ts';
import { ShortcutProvider } from './ui/forms/shortcuts.tsx';
import { ToastProvider } from './ui/toast.tsx';
import './styles.css';

applyTheme();
keepCompositions();
const place = document.querySelector('#console');
if (!place) throw new Error('the page has no place for the console');

/** Returns the addresses of the console, or of the portal, which are loaded where they are needed. */
async function createRouter(): Promise<AnyRouter> {
  if (portalWorkspace === undefined) return createConsoleRouter();
  const { createPortalRouter } = await import('./portal/router.tsx');
  return createPortalRouter(portalWorkspace);
}

const router = await createRouter();
createRoot(place).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <TextsProvider>
        <QueryClientProvider client={queries}>
          <LiveProvider>
            <ToastProvider>
              <ShortcutProvider>
                <NoWords />
                <Offline />
                <RouterProvider router={router} />
                <SessionOver />
              </ShortcutProvider>
            </ToastProvider>
          </LiveProvider>
        </QueryClientProvider>
      </TextsProvider>
    </CSPProvider>
  </StrictMode>,
);
