//! The navigation: screens in sections, as the operator's role allows.
import { NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { type LoadableScreen, SCREENS } from '#app/screens.ts';
import { useSession } from '#app/session/session.tsx';
import { Icon, type IconName } from '#parts/icons.tsx';

const SECTIONS = ['Work', 'Money', 'Integration', 'Platform'] as const;

interface ListedScreen extends LoadableScreen {
  readonly icon: IconName;
}

export function Navigation({ close }: { readonly close: () => void }) {
  const { role, environment, marketplaceId, session } = useSession();
  const listed = SCREENS.filter(isListed).filter(({ roles, isSandboxOnly, platform }) => {
    if (platform === 'only') return session.operator.isPlatformAdmin;
    if (marketplaceId === '') return platform === 'too';
    const isAbsent = isSandboxOnly === true && environment === 'production';
    return roles.includes(role) && !isAbsent;
  });
  const sections = SECTIONS.filter((one) => listed.some(({ section }) => section === one));
  return (
    <ScrollArea h="100%" type="auto" scrollbarSize={8} p="xs">
      {sections.map((section) => (
        <div key={section} className="hf-nav-section">
          <Text size="xs" fw={600} c="dimmed" px={10} pb={2}>
            {section}
          </Text>
          {listed
            .filter((screen) => screen.section === section)
            .map((screen) => (
              <Entry key={screen.path} screen={screen} close={close} />
            ))}
        </div>
      ))}
    </ScrollArea>
  );
}

function isListed(screen: LoadableScreen): screen is ListedScreen {
  return screen.icon !== undefined;
}

interface EntryProps {
  readonly screen: ListedScreen;
  readonly close: () => void;
}

function Entry({ screen: { path, title, icon }, close }: EntryProps) {
  const at = useRouterState({ select: ({ location }) => location.pathname });
  const isHere = isWithin(at, path);
  return (
    <NavLink
      label={title}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      onClick={close}
      className="hf-nav-link"
      leftSection={<Icon name={icon} />}
      renderRoot={(props) => <Link to={path} {...props} />}
    />
  );
}

function isWithin(path: string, screen: string): boolean {
  const at = path.replace(/^\/console/, '') || '/';
  return screen === '/' ? at === '/' : at === screen || at.startsWith(`${screen}/`);
}
