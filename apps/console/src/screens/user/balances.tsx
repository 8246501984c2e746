//! A user's balances in every currency of the service.
import { useRead } from '#app/read.ts';
import { Loaded } from '#parts/loaded.tsx';
import { BALANCE_COLUMNS } from '#parts/table/balance-columns.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';

export function useBalances(userId: string) {
  return useRead('User', [userId, 'balances'], async (holdfast, signal) => {
    const { currencies } = await holdfast.config.get({ signal });
    return await Promise.all(
      currencies.map((currency) => holdfast.balances.get(userId, { currency }, { signal })),
    );
  });
}

export function Balances({ userId }: { readonly userId: string }) {
  return (
    <Loaded of={useBalances(userId)}>
      {(balances) => (
        <ShortTable
          label="Balance in each currency"
          columns={BALANCE_COLUMNS}
          rows={balances}
          idOf={({ currency }) => currency}
        />
      )}
    </Loaded>
  );
}
