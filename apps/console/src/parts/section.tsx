//! A titled part of a screen whose content has a frame of its own, such as a table.
import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

export function Section({ title, children }: Props) {
  return (
    <div>
      <Group mb="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
      </Group>
      {children}
    </div>
  );
}
