//! Runs the black-box conformance kit; checks whose flow is not built yet are named here, one by
//! one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the kit lies: beside the repository, or wherever CONFORMANCE_KIT says. */
const KIT =
  process.env['CONFORMANCE_KIT'] ??
  fileURLToPath(new URL('../../shared/conformance/run.mjs', import.meta.url));

const SECTIONS = [
  'auth',
  'users',
  'balances',
  'idempotency',
  'ratelimit',
  'wire',
  'events',
  'audit',
];

/** Each needs something that a later milestone builds. One that passes must leave this list. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  deposits: ['users > a deposit on the ledger network is credited once'],
  'sync and verify': [
    'balances > reading or reconciling an unknown user is 404 USER_NOT_FOUND',
    'balances > verify compares the books with the ledger network and changes nothing',
    'balances > sync of a balance that agrees finds no discrepancy',
  ],
  'orders, escrow and disputes': [
    'auth > a token carries no scope that its key lacks',
    'balances > cancel-reservation restores every reservation made for an order',
    'balances > cancel-reservation of an order without reservations is 404',
    'balances > generic routes cannot touch what an order has reserved',
    'idempotency > POST /orders/{id}/reserve ignores the key, even a malformed one',
    'idempotency > POST /orders/{id}/cancel ignores the key, even a malformed one',
    'idempotency > POST /orders/{id}/escrow ignores the key, even a malformed one',
    'idempotency > POST /orders/{id}/escrow/fund ignores the key, even a malformed one',
    'idempotency > POST /orders/{id}/resolution/release ignores the key, even a malformed one',
    'idempotency > POST /orders ignores the key; the client reference protects it',
    'events > types filters exactly and repeats',
    'events > resources filters by aggregate type',
    'events > types and resources combine with AND',
    'events > the balances flow tells balance.debited, balance.reserved, balance.released with all their fields',
    'events > the release flow tells order.created, order.funds_reserved, order.escrow_creating, order.escrow_funding, order.escrow_funded, order.in_progress, order.release_requested, order.released, order.closed, escrow.created, escrow.funding_started, escrow.funded, escrow.milestone_completed, escrow.released with all their fields',
    'events > the refund flow tells order.refund_requested, order.refunded, escrow.refunded with all their fields',
    'events > the cancel flow tells order.canceled with all their fields',
    'events > the dispute flow tells order.disputed, dispute.opened, dispute.under_review, dispute.resolved with all their fields',
    'audit > the release request records the reason',
    'audit > creating an order leaves an audit entry',
    'audit > reserving an order leaves an audit entry',
    'audit > canceling an order leaves an audit entry',
    'audit > creating an escrow leaves an audit entry',
    'audit > funding an escrow leaves an audit entry',
    'audit > completing a milestone leaves an audit entry',
    'audit > a release leaves an audit entry',
    'audit > a refund leaves an audit entry',
    'audit > opening a dispute leaves an audit entry',
    'audit > assigning a dispute leaves an audit entry',
    'audit > resolving a dispute leaves an audit entry',
  ],
  'top-ups and withdrawals': [
    'balances > generic routes cannot touch what a withdrawal holds',
    'idempotency > a top-up with the same key is created once',
    'idempotency > ten withdrawals at once with one key hold money once',
    'ratelimit > a user has 10 top-ups per minute',
    'ratelimit > a user has 5 withdrawals per minute',
    'events > the topup flow tells topup.created, topup.confirmation_required, topup.succeeded with all their fields',
    'events > the topup cancel flow tells topup.canceled with all their fields',
    'events > the withdrawal flow tells withdrawal.created, withdrawal.committed, withdrawal.completed with all their fields',
    'events > the withdrawal failure flow tells withdrawal.failed with all their fields',
    'events > the payin webhook flow tells topup.processing, topup.failed with all their fields',
    'events > the payout webhook flow tells withdrawal.pending, withdrawal.pending_user_action with all their fields',
    'events > the withdrawal cancel flow tells withdrawal.canceled with all their fields',
    'audit > creating a top-up leaves an audit entry',
    'audit > creating a withdrawal leaves an audit entry',
  ],
};

interface Result {
  readonly section: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly message?: string;
}

async function runKit(): Promise<Result[]> {
  const start = 'npm run -s dev -- --json --port 0';
  const args = [KIT, '--json', '--only', SECTIONS.join(), '--start', start];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Result);
}

async function main(): Promise<number> {
  if (!existsSync(KIT)) {
    process.stdout.write(`no conformance kit at ${KIT}: set CONFORMANCE_KIT\n0 passed, 1 failed\n`);
    return 1;
  }
  const later = new Set(Object.values(LATER).flat());
  const results = await runKit();
  let [passed, failed, waiting] = [0, 0, 0];
  for (const { section, name, outcome, message } of results) {
    const title = `${section} > ${name}`;
    const isLater = later.delete(title);
    if (isLater && outcome !== 'passed') waiting += 1;
    else if (isLater) complain(`${title}: passes now; take it off the list`);
    else if (outcome === 'passed') passed += 1;
    else complain(`${title}: ${outcome}: ${message}`);
  }
  for (const title of later) complain(`${title}: is on the list, but the kit has no such check`);
  if (results.length === 0) complain('the kit ran no check');
  process.stdout.write(`${waiting} wait for what later milestones build\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;

  function complain(line: string): void {
    failed += 1;
    process.stdout.write(`FAIL ${line}\n`);
  }
}

process.exit(await main());
