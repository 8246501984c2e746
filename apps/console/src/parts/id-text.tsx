//! A technical id with its label, for support: no link, so that it works outside the shell.
import { Text } from '@mantine/core';

export function IdText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Text size="xs" c="dimmed">
      {label} <span className="hf-id">{text}</span>
    </Text>
  );
}
