//! Faults in the code that moves money: books, orders, engine, providers, reconciliation.
import type { Fault } from './fault.ts';

const FUNCTIONS = 'apps/server/src/platform/database/functions';

export const MONEY_FAULTS: readonly Fault[] = [
  {
    name: 'fee-rounding',
    file: 'packages/kernel/src/money.ts',
    find: 'if (twice < denominator || (twice === denominator && floor % 2n === 0n)) return floor;',
    replace: 'if (twice <= denominator) return floor;',
    why: 'half a cent always goes to the seller: fees are a cent short',
  },
  {
    name: 'adjustment-limit',
    file: `${FUNCTIONS}/books/balances/check_credit.sql`,
    find: 'if refusal.current_amount + p_request.amount > allowed then',
    replace: 'if refusal.current_amount + p_request.amount >= allowed then',
    why: 'the last cent of a limit cannot be used',
    near: 'apps/server/src/accounts/books',
  },
  {
    name: 'entry-across-marketplaces',
    file: `${FUNCTIONS}/books/post_entry.sql`,
    find: 'or target.marketplace_id is distinct from p_marketplace',
    replace: '',
    why: 'money can be moved into the books of another marketplace',
    near: 'apps/server/src/platform',
  },
  {
    name: 'wallet-taken-too-early',
    file: 'apps/server/src/accounts/custody/wallet-lock.ts',
    find: `(await hasOpenEnvelope(pool, wallet.address, purpose))
          ? undefined
          : { value: await work(wallet) },`,
    replace: '({ value: await work(wallet) }),',
    why: 'two transactions of a wallet share a sequence number, and one never takes effect',
  },
  {
    name: 'order-closed-without-event',
    file: 'apps/server/src/orders/settlement/settlement.ts',
    find: `  await emit(tx, 'order.closed', orderId, {
    orderId,
    finalStatus: award.closeReason,
    closedAt: instantText(tx.now),
  });
`,
    replace: '',
    why: 'no event reports that an order has ended',
  },
  {
    name: 'refund-failure-unaudited',
    file: 'apps/server/src/orders/settlement/order-settlement.ts',
    find: `  await audit(tx, {
    action: actions.failed,`,
    replace: `  if (actions.failed !== 'REFUND_FAILED') await audit(tx, {
    action: actions.failed,`,
    why: 'a refund that was refused leaves no record in the audit log',
  },
  {
    name: 'refund-of-disputed',
    file: 'packages/contract/src/machines/order-machine.ts',
    find: "requestRefund:  { from: ['IN_PROGRESS'],",
    replace: "requestRefund:  { from: ['IN_PROGRESS', 'DISPUTED'],",
    why: 'an order is refunded while its dispute is open',
  },
  {
    name: 'funding-checked-late',
    file: 'apps/server/src/orders/model/checks.ts',
    find: `  if (escrow.status === 'FUNDING') refuseEscrow(escrow, 'funding is in progress');
  if (!canMove(escrowMachine, escrow.status, 'startFunding'))`,
    replace: `  if (!canMove(escrowMachine, escrow.status, 'startFunding'))`,
    why: 'a second funding gets an internal error instead of a refusal',
  },
  {
    name: 'unknown-as-refused',
    file: 'apps/server/src/engine/attempt-run.ts',
    find: "if (outcome.kind === 'unknown') return this.#unknown(name, outcome.reason);",
    replace: `if (outcome.kind === 'unknown')
      return this.#remember(name, { kind: 'refused', code: 'unknown', reason: outcome.reason });`,
    why: 'the books reverse a payment that the provider may have made',
  },
  {
    name: 'undo-after-money-moved',
    file: 'apps/server/src/engine/attempt-run.ts',
    find: 'this.#hasMovedMoney ||= movesMoney;',
    replace: '',
    why: 'an operation whose money has moved is rolled back',
  },
  {
    name: 'overtaken-attempt-writes',
    file: 'apps/server/src/engine/operation.ts',
    find: 'and attempts = $',
    replace: 'and attempts >= $',
    why: 'an attempt that was overtaken still writes',
  },
  {
    name: 'used-number-as-proof',
    file: 'apps/server/src/providers/network/settle-envelope.ts',
    find: "users.kind !== 'done' || users.value.length === 0 || users.value.includes(hash)",
    replace: "users.kind !== 'done'",
    why: 'an envelope that took effect counts as expired, and its payment is made again',
  },
  {
    name: 'time-out-as-not-sent',
    file: 'apps/server/src/providers/provider-http.ts',
    find: 'return { notSent: isNeverSent(error), reason: reasonOf(error) };',
    replace: 'return { notSent: true, reason: reasonOf(error) };',
    why: 'a request whose reply was lost is treated as never sent',
  },
  {
    name: 'deposit-twice',
    file: 'apps/server/src/payments/deposits/crediting.ts',
    find: '  if (!isNew) return false;\n',
    replace: '',
    why: 'a deposit that is seen again counts again',
  },
  {
    name: 'extra-statement-line',
    file: 'apps/server/src/assurance/statements/get-user-statement.ts',
    find: 'return { first: before + 1n, last };',
    replace: 'return { first: before, last };',
    why: 'the last line of a period is also the first of the next',
  },
  {
    name: 'contradiction-overlooked',
    file: 'apps/server/src/assurance/comparison/compare-payments.ts',
    find: 'return ENDED.has(theirs.status) && !ours.isFinal;',
    replace: 'return false;',
    why: 'a payment that has ended at the provider and is open here counts as matched',
  },
  {
    name: 'lasting-breach-ignored',
    file: 'apps/server/src/assurance/solvency/record-solvency.ts',
    find: "status === 'BREACH' && before.has(asset)",
    replace: "status === 'BREACH' && !before.has(asset)",
    why: 'a breach that lasts does not stop payouts',
  },
];
