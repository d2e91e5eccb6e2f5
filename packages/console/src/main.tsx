import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LiveProvider } from './data/live.tsx';
import { queries } from './data/queries.ts';
import { router } from './router.tsx';
import { applyTheme } from './shell/theme.ts';
import { TextsProvider } from './texts/texts.tsx';
import { ShortcutProvider } from './ui/shortcuts.tsx';
import { ToastProvider } from './ui/toast.tsx';
import './styles.css';

applyTheme();
const place = document.querySelector('#console');
if (!place) throw new Error('the page has no place for the console');
createRoot(place).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <TextsProvider>
        <QueryClientProvider client={queries}>
          <LiveProvider>
            <ToastProvider>
              <ShortcutProvider>
                <RouterProvider router={router} />
              </ShortcutProvider>
            </ToastProvider>
          </LiveProvider>
        </QueryClientProvider>
      </TextsProvider>
    </CSPProvider>
  </StrictMode>,
);
