//! A user's balances in every currency of the service.
import { Table } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { Amount } from '#parts/amount.tsx';
import { Loaded } from '#parts/loaded.tsx';

export function Balances({ userId }: { readonly userId: string }) {
  const reading = useRead('User', [userId, 'balances'], async (holdfast, signal) => {
    const { currencies } = await holdfast.config.get({ signal });
    return await Promise.all(
      currencies.map((currency) => holdfast.balances.get(userId, { currency }, { signal })),
    );
  });
  return (
    <Loaded of={reading}>
      {(balances) => (
        <Table horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">Available</Table.Th>
              <Table.Th ta="right">Reserved</Table.Th>
              <Table.Th ta="right">Total</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {balances.map(({ currency, available, reserved, total }) => (
              <Table.Tr key={currency}>
                {[available, reserved, total].map((amount, index) => (
                  <Table.Td key={['available', 'reserved', 'total'][index]} ta="right">
                    <Amount amount={amount} currency={currency} isStrong={index === 2} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Loaded>
  );
}
