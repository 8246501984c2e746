//! The orders of the last seed, each as it was when the call returned.
import type { LabSeed, SeededOrder } from '@holdfast/sdk';
import { Text } from '@mantine/core';
import { IdLink } from '#parts/id-link.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

const COLUMNS: readonly Column<SeededOrder>[] = [
  { title: 'Order', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Dispute', show: ({ disputeId }) => <IdLink id={disputeId} isBare /> },
];

export function Seeded({ seed: { sample, orders } }: { readonly seed: LabSeed }) {
  const stopped = orders.filter(({ stoppedBy }) => stoppedBy !== null);
  const whys = [...new Set(stopped.map(({ stoppedBy }) => stoppedBy))];
  return (
    <div>
      <Text size="sm" fw={600}>
        Orders created from sample {sample}
      </Text>
      <ShortTable
        label={`Orders created from sample ${sample}`}
        columns={COLUMNS}
        rows={orders}
        idOf={({ id }) => id}
        minWidth={360}
      />
      {stopped.length > 0 && (
        <Text size="sm" c="var(--hf-warn)">
          {stopped.length} of {orders.length} orders stopped early. {whys.join(' ')}
        </Text>
      )}
    </div>
  );
}
