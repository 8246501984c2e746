//! Who one is, how the console looks, its shortcuts, and the way out.
import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useSession } from '#app/session.tsx';
import { Icon } from '#parts/icons.tsx';

const SCHEMES = { light: 'Light', dark: 'Dark', auto: 'As the system' } as const;

export function PersonMenu({ openHelp }: { readonly openHelp: () => void }) {
  const { session, role, version, signOut } = useSession();
  const { name, email } = session.operator;
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="light"
          size={34}
          radius="xl"
          fz="sm"
          fw={650}
          aria-label={`Signed in as ${name}`}
        >
          <span aria-hidden="true">{initialsOf(name)}</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {name}
          </Text>
          {email}
          <br />
          Role: {role}
        </Menu.Label>
        <Menu.Divider />
        <Schemes />
        <Menu.Divider />
        <Menu.Item onClick={openHelp}>Shortcuts</Menu.Item>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
        <Menu.Divider />
        <Menu.Label>Holdfast {version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
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
