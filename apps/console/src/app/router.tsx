//! Paths and the screens behind them, each loaded when it is first opened.
import { Center, Loader } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { keepMarketplace } from '#app/marketplace-word.ts';
import { CONSOLE } from '#app/places.ts';
import { SCREENS } from '#app/screens.ts';
import { Shell } from '#app/shell.tsx';
import { parseSearch, stringifySearch } from '#app/url-state.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { ErrorNote } from '#parts/error-note.tsx';

function Waiting() {
  return (
    <Center h={240}>
      <Loader aria-label="Loading the screen" />
    </Center>
  );
}

function Nowhere() {
  return (
    <EmptyState title="There is no such screen">
      Press ⌘K (Ctrl K) and paste any id, reference, hash or e-mail address to find what it is.
    </EmptyState>
  );
}

function Broken({ error }: ErrorComponentProps) {
  return <ErrorNote error={error} />;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: Nowhere,
  search: { middlewares: [keepMarketplace as never] },
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
