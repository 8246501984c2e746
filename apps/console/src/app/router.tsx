//! Paths and the screens behind them, each loaded when it is first opened.
import { Center, Loader } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { preserveMarketplace } from '#app/marketplace-word.ts';
import { CONSOLE } from '#app/routes.ts';
import { SCREENS } from '#app/screens.ts';
import { Shell } from '#app/shell.tsx';
import { parseSearch, stringifySearch } from '#app/url-state.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';

function Waiting() {
  return (
    <Center h={240}>
      <Loader aria-label="Loading page" />
    </Center>
  );
}

function Nowhere() {
  return (
    <EmptyState title="Page not found">
      Press Ctrl K (⌘K) and search by ID, reference, transaction hash, blockchain address or email
      address.
    </EmptyState>
  );
}

function Broken({ error }: ErrorComponentProps) {
  return <ErrorAlert error={error} />;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: Nowhere,
  search: { middlewares: [preserveMarketplace as never] },
});
const routes = SCREENS.map((screen) =>
  createRoute({
    getParentRoute: () => root,
    path: screen.path,
    component: lazyRouteComponent(screen.load, 'Screen'),
    pendingComponent: Waiting,
    errorComponent: Broken,
  }),
);

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: CONSOLE,
  parseSearch,
  stringifySearch,
  defaultNotFoundComponent: Nowhere,
  // Another record is another page: what was typed or found for one is not shown for the next.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});
