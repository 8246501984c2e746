//! The frame of every screen: navigation, search, marketplace, operator menu, and the sandbox band.
import { AppShell } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Navigate, Outlet, useRouterState } from '@tanstack/react-router';
import { Navigation } from '#app/navigation.tsx';
import { SCREENS } from '#app/screens.ts';
import { SearchPalette } from '#app/search-palette.tsx';
import { useSession } from '#app/session/session.tsx';
import { ShortcutHelp, useShortcuts } from '#app/shortcuts.tsx';
import { StopBanner } from '#app/stop-banner.tsx';
import { TOP_BAR_HEIGHT, TopBar } from '#app/top-bar.tsx';

const NAV_WIDTH = 208;
const BAND_HEIGHT = 26;

/** The path as the table of screens writes it. */
function routeOf({ matches }: { matches: readonly { fullPath: string }[] }): string | undefined {
  return matches.at(-1)?.fullPath;
}

export function Shell() {
  const { environment, marketplaceId } = useSession();
  const [isNavOpen, nav] = useDisclosure();
  const [isSearchOpen, search] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  useShortcuts({ openSearch: search.open, openHelp: help.open });
  const isSandbox = environment !== 'production';
  const route = useRouterState({ select: routeOf });
  const screen = SCREENS.find(({ path }) => path === route);
  // An operator without a role in any marketplace has only the screens that work without one.
  const isOpen = marketplaceId !== '' || screen?.platform !== undefined;
  return (
    <AppShell
      header={{ height: TOP_BAR_HEIGHT + (isSandbox ? BAND_HEIGHT : 0) }}
      navbar={{ width: NAV_WIDTH, breakpoint: 'sm', collapsed: { mobile: !isNavOpen } }}
      padding="md"
    >
      <title>{`${screen?.title ?? 'Console'} · Holdfast`}</title>
      <AppShell.Header>
        <a className="hf-skip" href="#screen">
          Skip to content
        </a>
        {isSandbox && (
          <div className="hf-band" role="note">
            Sandbox<span className="hf-wide"> · {environment}</span> · no real money
          </div>
        )}
        <TopBar
          isNavOpen={isNavOpen}
          toggleNav={nav.toggle}
          openSearch={search.open}
          openHelp={help.open}
        />
      </AppShell.Header>
      <AppShell.Navbar aria-label="Main navigation">
        <Navigation close={nav.close} />
      </AppShell.Navbar>
      <AppShell.Main id="screen" tabIndex={-1}>
        <StopBanner />
        {isOpen ? <Outlet /> : <Navigate to="/operators" replace />}
      </AppShell.Main>
      {marketplaceId !== '' && <SearchPalette isOpen={isSearchOpen} close={search.close} />}
      <ShortcutHelp isOpen={isHelpOpen} close={help.close} />
    </AppShell>
  );
}
