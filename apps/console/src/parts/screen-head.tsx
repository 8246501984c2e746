//! The head of a screen: title, state, and actions.
import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly note?: ReactNode;
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
}

export function ScreenHead({ title, note, badge, actions }: Props) {
  return (
    <Group justify="space-between" align="flex-start" mb="md">
      <Box miw={0} maw="100%">
        <Group gap="sm">
          <Title order={1} size="h3" className="hf-text">
            {title}
          </Title>
          {badge}
        </Group>
        {note !== undefined && (
          <Text size="sm" c="dimmed" component="div" mt={4} className="hf-note">
            {note}
          </Text>
        )}
      </Box>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
