//! The entry point of the console.
import '#app/mantine-styles.ts';
import '@mantine/notifications/styles.css';
import '#app/console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '#app/queries.ts';
import { isEnrollment } from '#app/routes.ts';
import { SessionGate } from '#app/session/session-gate.tsx';
import { cssVariables, theme } from '#app/theme.ts';

/** Few people ever open it, and each of them once. */
const Enroll = lazy(async () => ({ default: (await import('#app/session/enroll.tsx')).Enroll }));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="top-right" />
        <QueryClientProvider client={queryClient}>
          {isEnrollment(window.location.pathname) ? (
            <Suspense>
              <Enroll />
            </Suspense>
          ) : (
            <SessionGate />
          )}
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
