//! The text of an empty list: the fact, and the next step.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
}

export function EmptyState({ title, children }: Props) {
  return (
    <Stack align="center" gap="xs" p="xl" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw={520} component="div">
        {children}
      </Text>
    </Stack>
  );
}
