//! The test lab: the sandbox's clock, its faults, scenarios, and sample orders. Only in
//! development.
import { LAB_SAMPLES, LAB_SCENARIOS } from '@holdfast/contract/enums';
import { isHoldfastError, type Lab } from '@holdfast/sdk';
import { SimpleGrid, Stack } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Clock } from '#screens/lab/clock.tsx';
import { Faults } from '#screens/lab/faults.tsx';
import { Scenarios } from '#screens/lab/scenarios.tsx';
import { Seed } from '#screens/lab/seed.tsx';

const EVERY_MS = 3_000;

export function Screen() {
  const lab = useRead('Lab', [], (holdfast, signal) => holdfast.lab.get({ signal }), {
    everyMs: EVERY_MS,
  });
  if (isHoldfastError(lab.error, 'FEATURE_NOT_AVAILABLE')) {
    return (
      <EmptyState title="No sandbox connected">
        The test lab requires the Holdfast sandbox. Start one with <code>holdfast dev</code>.
      </EmptyState>
    );
  }
  return (
    <>
      <ScreenHead
        title="Test lab"
        note="Clock, faults and sample orders of the sandbox. Not available in production."
      />
      <Loaded of={lab}>{(found) => <Shown lab={found} />}</Loaded>
    </>
  );
}

function Shown({ lab }: { readonly lab: Lab }) {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>
          <Clock lab={lab} />
          <Seed lab={lab} names={LAB_SAMPLES} />
        </Stack>
        <Scenarios lab={lab} names={LAB_SCENARIOS} />
      </SimpleGrid>
      <Faults lab={lab} />
    </Stack>
  );
}
