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
  'orders',
  'escrow',
  'resolution',
  'disputes',
  'webhooks',
  'tenancy',
];

/** Each needs something that a later milestone builds. One that passes must leave this list. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  'top-ups and withdrawals': [
    'balances > generic routes cannot touch what a withdrawal holds',
    'idempotency > a top-up with the same key is created once',
    'idempotency > ten withdrawals at once with one key hold money once',
    'events > the topup flow tells topup.created, topup.confirmation_required, topup.succeeded with all their fields',
    'events > the topup cancel flow tells topup.canceled with all their fields',
    'events > the withdrawal flow tells withdrawal.created, withdrawal.committed, withdrawal.completed with all their fields',
    'events > the withdrawal failure flow tells withdrawal.failed with all their fields',
    'events > the payin webhook flow tells topup.processing, topup.failed with all their fields',
    'events > the payout webhook flow tells withdrawal.pending, withdrawal.pending_user_action with all their fields',
    'events > the withdrawal cancel flow tells withdrawal.canceled with all their fields',
    'webhooks > a missing signature is 401 and changes nothing',
    'webhooks > the same event again is a duplicate and credits nothing',
    'webhooks > a wrong signature is 401 and changes nothing',
    'webhooks > a signed payin.succeeded credits the user',
    'webhooks > an unknown id with a good signature is 200 with processed false',
    'webhooks > the same event twenty times at once credits once',
    'webhooks > another event id for a succeeded top-up credits nothing more',
    'webhooks > a message signed more than five minutes ago or ahead is 401',
    'webhooks > the raw bytes are signed, not their meaning',
    'webhooks > one good signature among several is enough',
    'webhooks > an amount or currency that differs is not credited to the user',
    'webhooks > a success after a local cancel is not credited and not dropped',
    'webhooks > states go forward only, jumps allowed',
    'webhooks > a signed payout.completed moves the withdrawal to WITHDRAWAL_COMPLETED',
    'webhooks > a failed pay-in fails the top-up with its reason',
    'webhooks > a signed payout.failed moves the withdrawal to WITHDRAWAL_FAILED',
    'webhooks > a signed payout.canceled moves the withdrawal to WITHDRAWAL_CANCELED',
    'audit > creating a top-up leaves an audit entry',
    'audit > creating a withdrawal leaves an audit entry',
    "tenancy > GET /topups/{topup} answers 404 for another marketplace's id",
    "tenancy > POST /topups/{topup}/refresh answers 404 for another marketplace's id",
    "tenancy > POST /topups/{topup}/cancel answers 404 for another marketplace's id",
    "tenancy > GET /withdrawals/{withdrawal} answers 404 for another marketplace's id",
    "tenancy > POST /withdrawals/{withdrawal}/commit answers 404 for another marketplace's id",
    "tenancy > POST /withdrawals/{withdrawal}/refresh answers 404 for another marketplace's id",
    'tenancy > a withdrawal or top-up cannot name a user of another marketplace',
    'tenancy > GET /disputes shows nothing of another marketplace',
    'tenancy > GET /users shows nothing of another marketplace',
    'tenancy > GET /audit/logs shows nothing of another marketplace',
    'tenancy > GET /orders shows nothing of another marketplace',
    'tenancy > GET /topups shows nothing of another marketplace',
    'tenancy > GET /withdrawals shows nothing of another marketplace',
    'ratelimit > a user has 5 withdrawals per minute',
    'ratelimit > a user has 10 top-ups per minute',
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
