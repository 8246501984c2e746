//! Who one is, how the console looks, its shortcuts, one's password, and the way out.
import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { useSession } from '#app/session.tsx';
import { Icon } from '#parts/icons.tsx';

const SCHEMES = { light: 'Light', dark: 'Dark', auto: 'As the system' } as const;

/** Wanted once in months: loaded when it is. */
const ChangePassword = lazy(async () => {
  const { ChangePassword: loaded } = await import('#app/change-password.tsx');
  return { default: loaded };
});

export function PersonMenu({ openHelp }: { readonly openHelp: () => void }) {
  const { session, version, signOut } = useSession();
  const [isChanging, change] = useDisclosure();
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
            // What is seen is in the name too, for whoever speaks to the page.
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
          <Menu.Item onClick={openHelp}>Shortcuts</Menu.Item>
          <Menu.Item onClick={change.open}>Change password</Menu.Item>
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
    </>
  );
}

/** What one is in this marketplace, and above all of them. */
function RoleWords() {
  const { session, marketplaceId, role } = useSession();
  if (!session.operator.isPlatformAdmin) return `Role: ${role}`;
  return marketplaceId === '' ? 'Platform admin' : `Role: ${role}, and platform admin`;
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
