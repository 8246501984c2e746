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
        // Orders of this period and earlier ones are counted together: a step can exceed the first.
        const share = count > created || created === 0 ? undefined : (count / created) * 100;
        return (
          <div key={name}>
            <Group justify="space-between">
              <Text size="sm">{name}</Text>
              <Text size="sm" className="hf-amount">
                {count}
                {share !== undefined && ` · ${share.toFixed(0)}% of created`}
              </Text>
            </Group>
            <Progress
              value={share ?? (count === 0 ? 0 : 100)}
              aria-label={
                share === undefined ? `${name}: ${count}` : `${name}: ${count} of ${created}`
              }
              size="sm"
            />
          </div>
        );
      })}
    </Stack>
  );
}
