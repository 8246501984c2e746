//! Things to look at: whole stories, played through the API like a marketplace would.
import { Stack, Text } from '@mantine/core';
import { CommandHint } from '#parts/command-hint.tsx';
import { Panel } from '#parts/panel.tsx';

export function Seed() {
  return (
    <Panel title="Seed">
      <Stack gap="xs">
        <Text size="sm">
          The command line plays whole stories against this deployment, with the marketplace’s own
          key: an order in any state, a dispute, a payment that goes wrong.
        </Text>
        <CommandHint command="holdfast trigger --list" />
        <CommandHint command="holdfast trigger dispute.opened" />
      </Stack>
    </Panel>
  );
}
