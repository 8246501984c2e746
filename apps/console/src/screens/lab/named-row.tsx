//! One item of the lab: its name, its meaning, and its button.
import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly name: string;
  readonly description: string;
  /** Absent where this page does not know it yet. */
  readonly action: ReactNode;
}

export function NamedRow({ name, description, action }: Props) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </div>
      <Box flex="none">{action}</Box>
    </Group>
  );
}
