//! The texts and calls of releasing, refunding and cancelling an order.
import type { Holdfast, Order } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { AboveLimit } from '#parts/action/above-limit.tsx';
import { ActionDialog } from '#parts/action/action-dialog.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { centsOf, textOf } from '#parts/money/cents.ts';

interface MoneyAction {
  readonly kind: 'release' | 'refund' | 'cancel';
  readonly title: string;
  readonly confirm: string;
  readonly done: string;
  readonly effect: (order: Order) => ReactNode;
  readonly run: (orders: Holdfast['orders'], id: string, reason: string) => Promise<unknown>;
}

export const MONEY_ACTIONS: readonly MoneyAction[] = [
  {
    kind: 'release',
    title: 'Release to seller',
    confirm: 'Release to seller',
    done: 'Released to seller',
    effect: (order) => <Release order={order} />,
    run: (orders, id, reason) => orders.release(id, { reason }, { reason }).outcome(),
  },
  {
    kind: 'refund',
    title: 'Refund buyer',
    confirm: 'Refund buyer',
    done: 'Buyer refunded',
    effect: (order) => <Refund order={order} />,
    run: (orders, id, reason) => orders.refund(id, { reason }, { reason }).outcome(),
  },
  {
    kind: 'cancel',
    title: 'Cancel order',
    confirm: 'Cancel order',
    done: 'Order canceled',
    effect: () => 'Cancels the order. Any reserved amount becomes available to the buyer again.',
    run: (orders, id, reason) => orders.cancel(id, { reason }, { reason }),
  },
];

function Release({ order: { amount, currency, fee } }: { readonly order: Order }) {
  const net = textOf((centsOf(amount) ?? 0n) - (centsOf(fee) ?? 0n));
  return (
    <>
      Pays <Amount amount={amount} currency={currency} isStrong /> from escrow:{' '}
      <Amount amount={net} currency={currency} isStrong /> to the seller and{' '}
      <Amount amount={fee} currency={currency} /> to the marketplace as its fee. Closes the order.
      <AboveLimit amount={amount} currency={currency} />
    </>
  );
}

function Refund({ order: { amount, currency } }: { readonly order: Order }) {
  return (
    <>
      Refunds <Amount amount={amount} currency={currency} isStrong /> from escrow to the buyer.
      Closes the order.
      <AboveLimit amount={amount} currency={currency} />
    </>
  );
}

interface DialogProps {
  readonly action: MoneyAction;
  readonly order: Order;
  readonly isOpen: boolean;
  readonly close: () => void;
}

export function MoneyDialog({ action, order, isOpen, close }: DialogProps) {
  const { orders } = useHoldfast();
  const { title, confirm, done, effect, run } = action;
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title={`${title}: ${order.id}`}
      confirm={confirm}
      done={done}
      isIrreversible
      touches={['Order', 'Ledger', 'Home']}
      effect={effect(order)}
      run={(reason) => run(orders, order.id, reason)}
    />
  );
}
