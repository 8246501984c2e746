//! The status of a response, coloured where it is an error.
import { Text } from '@mantine/core';

export function Status({ status }: { readonly status: number }) {
  const color = status >= 500 ? 'var(--hf-bad)' : status >= 400 ? 'var(--hf-warn)' : undefined;
  return (
    <Text component="span" size="sm" fw={600} c={color}>
      {status}
    </Text>
  );
}
