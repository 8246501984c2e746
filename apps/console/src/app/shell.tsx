//! What surrounds every screen: navigation, search, marketplace, who one is, and the sandbox band.
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  NavLink,
  ScrollArea,
  Select,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { SCREENS } from '#app/screens.ts';
import { SearchPalette } from '#app/search-palette.tsx';
import { useSession } from '#app/session.tsx';
import { ShortcutHelp, useShortcuts } from '#app/shortcuts.tsx';

const SECTIONS = ['Work', 'Money', 'Integration', 'Platform'] as const;
const NAV_WIDTH = 216;
const HEADER_HEIGHT = 56;
const BAND_HEIGHT = 26;

/** The path as the table of screens writes it. */
function routeOf({ matches }: { matches: readonly { fullPath: string }[] }): string | undefined {
  return matches.at(-1)?.fullPath;
}

export function Shell() {
  const { environment } = useSession();
  const [isNavOpen, nav] = useDisclosure();
  const [isSearchOpen, search] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  useShortcuts({ openSearch: search.open, openHelp: help.open });
  const isSandbox = environment !== 'production';
  const route = useRouterState({ select: routeOf });
  const title = SCREENS.find(({ path }) => path === route)?.title ?? 'Console';
  return (
    <AppShell
      header={{ height: HEADER_HEIGHT + (isSandbox ? BAND_HEIGHT : 0) }}
      navbar={{ width: NAV_WIDTH, breakpoint: 'sm', collapsed: { mobile: !isNavOpen } }}
      padding="md"
    >
      <title>{`${title} · Holdfast`}</title>
      <AppShell.Header>
        <a className="hf-skip" href="#screen">
          Skip to the screen
        </a>
        {isSandbox && (
          <div className="hf-band" role="note">
            Sandbox · {environment} · no real money moves here
          </div>
        )}
        <TopBar
          isNavOpen={isNavOpen}
          toggleNav={nav.toggle}
          openSearch={search.open}
          openHelp={help.open}
        />
      </AppShell.Header>
      <AppShell.Navbar aria-label="Screens">
        <Navigation close={nav.close} />
      </AppShell.Navbar>
      <AppShell.Main id="screen" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <SearchPalette isOpen={isSearchOpen} close={search.close} />
      <ShortcutHelp isOpen={isHelpOpen} close={help.close} />
    </AppShell>
  );
}

interface TopBarProps {
  readonly isNavOpen: boolean;
  readonly toggleNav: () => void;
  readonly openSearch: () => void;
  readonly openHelp: () => void;
}

function TopBar({ isNavOpen, toggleNav, openSearch, openHelp }: TopBarProps) {
  return (
    <Group h={HEADER_HEIGHT} px="md" justify="space-between" wrap="nowrap">
      <Group wrap="nowrap" gap="sm">
        <Burger
          opened={isNavOpen}
          onClick={toggleNav}
          hiddenFrom="sm"
          size="sm"
          aria-label={isNavOpen ? 'Close the navigation' : 'Open the navigation'}
        />
        <Text fw={700} visibleFrom="xs">
          Holdfast
        </Text>
        <MarketplaceSwitch />
      </Group>
      <Group wrap="nowrap" gap="xs">
        <LiveDot />
        <Button variant="default" onClick={openSearch} aria-label="Search by any id">
          <Group gap={8} wrap="nowrap">
            Search
            <Kbd visibleFrom="sm">⌘K</Kbd>
          </Group>
        </Button>
        <Person openHelp={openHelp} />
      </Group>
    </Group>
  );
}

function MarketplaceSwitch() {
  const { session, marketplaceId, marketplaceName, switchTo } = useSession();
  const { memberships } = session.operator;
  if (memberships.length < 2) return <Text truncate>{marketplaceName}</Text>;
  const data = memberships.map((one) => ({
    value: one.marketplaceId as string,
    label: one.marketplaceName,
  }));
  return (
    <Select
      aria-label="Marketplace"
      data={data}
      value={marketplaceId}
      allowDeselect={false}
      searchable={data.length > 8}
      onChange={(value) => value !== null && switchTo(value)}
      w={{ base: 130, sm: 220 }}
    />
  );
}

const LIVE_WORDS = {
  connecting: ['○', 'Connecting to the event stream', 'dimmed'],
  live: ['●', 'Live: screens follow events as they happen', 'var(--hf-good)'],
  lost: ['●', 'The event stream is lost; it connects again by itself', 'var(--hf-bad)'],
} as const;

function LiveDot() {
  const { live } = useSession();
  const state = useSyncExternalStore(live.subscribe, live.state);
  const [sign, words, color] = LIVE_WORDS[state];
  return (
    <Text component="span" role="status" title={words} aria-label={words} c={color} size="sm">
      {sign} <span aria-hidden="true">{state === 'live' ? 'Live' : 'Offline'}</span>
    </Text>
  );
}

function Person({ openHelp }: { readonly openHelp: () => void }) {
  const { session, role, version, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { name, email } = session.operator;
  const initials = name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('');
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={`Signed in as ${name}`}>
          {initials}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {name} · {role}
          <br />
          {email}
        </Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            leftSection={colorScheme === scheme ? '✓' : ' '}
          >
            {scheme === 'auto' ? 'As the system' : scheme === 'light' ? 'Light' : 'Dark'}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={openHelp}>Shortcuts</Menu.Item>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
        <Menu.Divider />
        <Menu.Label>Holdfast {version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

function Navigation({ close }: { readonly close: () => void }) {
  const { role, environment } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const listed = SCREENS.filter(
    ({ letter, roles, isSandboxOnly }) =>
      letter !== undefined &&
      roles.includes(role) &&
      !(isSandboxOnly === true && environment === 'production'),
  );
  return (
    <ScrollArea p="xs">
      {SECTIONS.map((section) => (
        <div key={section}>
          <Text size="xs" fw={600} c="dimmed" px={12} pt="xs">
            {section}
          </Text>
          {listed
            .filter((screen) => screen.section === section)
            .map((screen) => (
              <NavLink
                key={screen.path}
                label={screen.title}
                active={isWithin(path, screen.path)}
                onClick={close}
                leftSection={
                  <span className="hf-nav-letter" aria-hidden="true">
                    {screen.letter}
                  </span>
                }
                renderRoot={(props) => <Link to={screen.path} {...props} />}
              />
            ))}
        </div>
      ))}
    </ScrollArea>
  );
}

function isWithin(path: string, screen: string): boolean {
  const at = path.replace(/^\/console/, '') || '/';
  return screen === '/' ? at === '/' : at === screen || at.startsWith(`${screen}/`);
}
