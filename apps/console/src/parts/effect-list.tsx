//! What an action does, one sentence after the other.
import { List } from '@mantine/core';

export function EffectList({ lines }: { readonly lines: readonly string[] }) {
  return (
    <List size="sm" spacing={4}>
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  );
}
