//! One side of the equation, term by term, with its sum.
import { Table, Text } from '@mantine/core';
import { Amount } from '#parts/amount.tsx';
import type { Side } from '#screens/solvency/equation.ts';

interface Props {
  readonly side: Side;
  readonly currency: string;
}

export function SideTable({ side: { title, terms, total, addsUp }, currency }: Props) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th ta="right">Amount</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {terms.map(({ label, means, sign, amount }) => (
          <Table.Tr key={label}>
            <Table.Td>
              {sign === '−' && 'less '}
              {label}
              <Text size="xs" c="dimmed">
                {means}
              </Text>
            </Table.Td>
            <Table.Td ta="right">
              <Amount amount={amount} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Th scope="row">Together</Table.Th>
          <Table.Td ta="right">
            <Amount amount={total} currency={currency} isStrong />
            {!addsUp && (
              <Text size="xs" c="var(--hf-bad)" role="alert">
                the terms do not give this
              </Text>
            )}
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}
