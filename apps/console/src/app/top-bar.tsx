//! The bar above every screen: its title, live status, search, and the operator's menu.
import { Burger, Button, Group, Kbd, Select, Text, VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { PersonMenu } from '#app/session/person-menu.tsx';
import { useSession } from '#app/session/session.tsx';
import { Icon } from '#parts/icons.tsx';
import { Mark } from '#parts/mark.tsx';

export const TOP_BAR_HEIGHT = 56;
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

interface Props {
  readonly isNavOpen: boolean;
  readonly toggleNav: () => void;
  readonly openSearch: () => void;
  readonly openHelp: () => void;
}

export function TopBar({ isNavOpen, toggleNav, openSearch, openHelp }: Props) {
  const { marketplaceId } = useSession();
  return (
    <Group h={TOP_BAR_HEIGHT} px="md" justify="space-between" wrap="nowrap" gap="sm">
      <Group wrap="nowrap" gap="sm" miw={0}>
        <Burger
          opened={isNavOpen}
          onClick={toggleNav}
          hiddenFrom="sm"
          size="sm"
          aria-label={isNavOpen ? 'Close navigation' : 'Open navigation'}
        />
        <Group gap={8} wrap="nowrap" visibleFrom="xs">
          <Mark />
          <Text fw={700}>Holdfast</Text>
        </Group>
        <MarketplaceSwitch />
      </Group>
      <Group wrap="nowrap" gap="sm">
        {marketplaceId !== '' && <LiveDot />}
        {marketplaceId !== '' && <SearchButton open={openSearch} />}
        <PersonMenu openHelp={openHelp} />
      </Group>
    </Group>
  );
}

function SearchButton({ open }: { readonly open: () => void }) {
  return (
    <Button
      variant="default"
      onClick={open}
      leftSection={<Icon name="search" size={15} />}
      rightSection={
        <Kbd visibleFrom="sm" aria-hidden="true">
          {IS_APPLE ? '⌘K' : 'Ctrl K'}
        </Kbd>
      }
      px="sm"
    >
      Search
      <VisuallyHidden component="span"> by ID, reference or email address</VisuallyHidden>
    </Button>
  );
}

function MarketplaceSwitch() {
  const { session, marketplaceId, marketplaceName, switchTo } = useSession();
  const { memberships } = session.operator;
  if (memberships.length < 2) {
    return (
      <Text truncate className="hf-marketplace" title={marketplaceName}>
        {marketplaceName}
      </Text>
    );
  }
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
      w={{ base: 118, sm: 220 }}
    />
  );
}

const LIVE_WORDS = {
  connecting: ['Connecting', 'Connecting to the event stream'],
  live: ['Live', 'Live: pages update as events arrive'],
  lost: ['Disconnected', 'Disconnected: live updates stopped. Reconnecting automatically.'],
  ended: ['Disconnected', 'Disconnected: live updates stopped. Reload the page.'],
} as const;

function LiveDot() {
  const { live } = useSession();
  const state = useSyncExternalStore(live.subscribe, live.state);
  const [word, sentence] = LIVE_WORDS[state];
  return (
    <span className="hf-live" data-is={state} role="status" title={sentence} aria-label={sentence}>
      <Text component="span" size="sm" aria-hidden="true" visibleFrom="xs">
        {word}
      </Text>
    </span>
  );
}
