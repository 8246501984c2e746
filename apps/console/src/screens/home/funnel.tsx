//! The order funnel: created, funded, released; and how many were refunded or disputed.
import type { OrderFunnel } from '@holdfast/sdk';
import { Group, Progress, Stack, Text } from '@mantine/core';

export function Funnel({ funnel }: { readonly funnel: OrderFunnel }) {
  const { created, funded, released, refunded, disputed } = funnel;
  const steps: readonly (readonly [string, number])[] = [
    ['Created', created],
    ['Funded', funded],
    ['Released', released],
    ['Refunded', refunded],
    ['Disputed', disputed],
  ];
  return (
    <Stack gap="sm">
      {steps.map(([name, count]) => {
        const share = created === 0 ? 0 : Math.min(100, (count / created) * 100);
        return (
          <div key={name}>
            <Group justify="space-between">
              <Text size="sm">{name}</Text>
              <Text size="sm" className="hf-amount">
                {count} · {share.toFixed(0)}% of created
              </Text>
            </Group>
            <Progress value={share} aria-label={`${name}: ${count} of ${created}`} size="sm" />
          </div>
        );
      })}
    </Stack>
  );
}
