import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LiveProvider } from './data/live.tsx';
import { useOnline } from './data/online.ts';
import { queries } from './data/queries.ts';
import { portalWorkspace } from './environment.ts';
import { createConsoleRouter } from './router.tsx';
import { SessionOver } from './shell/session-over.tsx';
import { applyTheme } from './shell/theme.ts';
import { TextsProvider, useLanguage, useTexts } from './texts/texts.tsx';
import { ShortcutProvider } from './ui/forms/shortcuts.tsx';
import { ToastProvider } from './ui/toast.tsx';
import './styles.css';
import { NotLoaded } from './ui/part.tsx';

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

/** Says that the words of the chosen language could not be loaded. Another language is shown. */
function NoWords() {
  return useLanguage().hasFailed ? <NotLoaded /> : null;
}

/** Says that the browser has no network. Reads wait for it, and continue by themselves. */
function Offline() {
  const { common } = useTexts();
  const isConnected = useOnline();
  return (
    <div role="status" className="sticky top-0 z-30">
      {!isConnected && (
        <p className="max-w-none border-b border-warn bg-warn-soft px-4 py-2 text-center font-medium text-warn">
          <span aria-hidden="true">! </span>
          {common.offline}
        </p>
      )}
    </div>
  );
}

/**
 * Keeps keys of an input method, such as the Enter that ends a composition, from all shortcuts, forms and windows. The
 * editor in its shadow tree handles them itself.
 */
function keepCompositions(): void {
  addEventListener(
    'keydown',
    (event) => {
      const [field] = event.composedPath();
      const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
      // Safari says with this code only that the Enter key has ended the composition.
      if (!isField || !(event.isComposing || event.keyCode === 229)) return;
      event.stopImmediatePropagation();
      if (event.key === 'Enter') event.preventDefault();
    },
    { capture: true },
  );
}
