//! The effect of an action, one sentence per line.
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
