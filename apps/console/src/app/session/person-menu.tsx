//! The operator's menu: profile, colours, shortcuts, password, sessions, and sign-out.
import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { useSession } from '#app/session/session.tsx';
import { Icon } from '#parts/icons.tsx';

const SCHEMES = { light: 'Light theme', dark: 'Dark theme', auto: 'System theme' } as const;

/** Rarely used, so it is loaded on demand. */
const ChangePassword = lazy(async () => {
  const { ChangePassword: loaded } = await import('#app/session/change-password.tsx');
  return { default: loaded };
});

const Sessions = lazy(async () => {
  const { Sessions: loaded } = await import('#app/session/sessions.tsx');
  return { default: loaded };
});

export function PersonMenu({ openHelp }: { readonly openHelp: () => void }) {
  const { session, version, signOut } = useSession();
  const [isChanging, change] = useDisclosure();
  const [areSessionsOpen, sessions] = useDisclosure();
  const { name, email } = session.operator;
  const initials = initialsOf(name);
  return (
    <>
      <Menu position="bottom-end" width={240} shadow="md">
        <Menu.Target>
          <ActionIcon
            variant="light"
            size={34}
            radius="xl"
            fz="sm"
            fw={650}
            // The visible text is in the name too, for users of voice control.
            aria-label={`Signed in as ${name}, ${initials}`}
          >
            {initials}
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--mantine-color-text)">
              {name}
            </Text>
            {email}
            <br />
            <RoleWords />
          </Menu.Label>
          <Menu.Divider />
          <Schemes />
          <Menu.Divider />
          <Menu.Item onClick={openHelp}>Keyboard shortcuts</Menu.Item>
          <Menu.Item onClick={change.open}>Change password</Menu.Item>
          <Menu.Item onClick={sessions.open}>Sessions</Menu.Item>
          <Menu.Item onClick={signOut}>Sign out</Menu.Item>
          <Menu.Divider />
          <Menu.Label>Holdfast {version}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      {isChanging && (
        <Suspense>
          <ChangePassword close={change.close} />
        </Suspense>
      )}
      {areSessionsOpen && (
        <Suspense>
          <Sessions close={sessions.close} />
        </Suspense>
      )}
    </>
  );
}

/** The operator's role in this marketplace, and on the platform. */
function RoleWords() {
  const { session, marketplaceId, role } = useSession();
  if (!session.operator.isPlatformAdmin) return `Role: ${role}`;
  return marketplaceId === '' ? 'Platform admin' : `Role: ${role}, platform admin`;
}

function Schemes() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (['light', 'dark', 'auto'] as const).map((scheme) => (
    <Menu.Item
      key={scheme}
      onClick={() => setColorScheme(scheme)}
      rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : null}
    >
      {SCHEMES[scheme]}
    </Menu.Item>
  ));
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).slice(0, 2);
  return words.map((word) => word.charAt(0)).join('');
}
