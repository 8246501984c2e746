//! Examples that `--help` and the reference page show, one or two for each command.
import type { Command } from 'commander';

const ORDER = 'ord_123';
const USER = 'usr_123';
const SELLER = 'usr_456';
const DISPUTE = 'dsp_123';
const TOPUP = 'topup_123';
const WITHDRAWAL = 'wd_123';
const ENDPOINT = 'whe_123';
const EVENT = 'evt_123';
const KEY = 'key_123';
const MARKETPLACE = 'mkt_123';
const EXCEPTION = 'exc_123';

/** By the words of the command, without the program's name. */
// biome-ignore format: a table is the one thing exempt from the line limit.
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  dev: ['dev', 'dev --keep --port 0', 'dev --seed none'],
  code: ['code adam', 'code finance --json'],
  listen: ['listen --forward-to http://localhost:3000/webhooks', 'listen --forward-to 3000 --types order.*,dispute.*'],
  trigger: ['trigger order.released', 'trigger dispute.split --amount 250.00', 'trigger --list'],
  explain: [`explain ${ORDER}`, 'explain ada@example.test'],
  doctor: ['doctor', 'doctor --database postgres://localhost/holdfast'],
  health: ['health', 'health --live'],
  secrets: ['secrets --to secrets', "secrets --to secrets --database 'postgres://db.internal/holdfast?sslmode=verify-full' --redis none"],
  'setup-sandbox': ['setup-sandbox --state setup.json'],
  'orders list': ['orders list --status IN_PROGRESS', 'orders list --all -o csv'],
  'orders get': [`orders get ${ORDER}`],
  'orders create': [`orders create --buyer ${USER} --seller ${SELLER} --amount 120.00 --title Table --ref table-1`],
  'orders reserve': [`orders reserve ${ORDER}`],
  'orders escrow': [`orders escrow ${ORDER}`],
  'orders fund': [`orders fund ${ORDER}`],
  'orders checkout': [`orders checkout ${ORDER}`],
  'orders complete': [`orders complete ${ORDER} design`],
  'orders dispute': [`orders dispute ${ORDER} --by BUYER --reason NOT_DELIVERED`],
  'orders release': [`orders release ${ORDER} --yes`],
  'orders refund': [`orders refund ${ORDER} --reason Damaged --yes`],
  'orders cancel': [`orders cancel ${ORDER} --yes`],
  'users list': ['users list', 'users list --all -o csv'],
  'users get': [`users get ${USER}`],
  'users create': ['users create ada --email ada@example.com --type BUYER'],
  'users link': [`users link ${USER}`],
  'users balance': [`users balance ${USER} --currency USD`],
  'users credit': [`users credit ${USER} --amount 50.00 --reference welcome-1 --yes`],
  'users debit': [`users debit ${USER} --amount 5.00 --reference correction-1 --yes`],
  'users verify-balance': [`users verify-balance ${USER}`],
  'users wallet': [`users wallet ${USER}`],
  'users statement': [`users statement ${USER} --from 2026-10-01 --to 2026-11-01`],
  'disputes list': ['disputes list --status OPEN'],
  'disputes get': [`disputes get ${DISPUTE}`],
  'disputes assign': [`disputes assign ${DISPUTE} agent-7`],
  'disputes resolve': [`disputes resolve ${DISPUTE} --decision SPLIT --release 70.00 --refund 30.00 --yes`],
  'topups list': ['topups list --status TOPUP_SUCCEEDED'],
  'topups get': [`topups get ${TOPUP}`],
  'topups create': [`topups create --user ${USER} --amount 50.00`],
  'topups refresh': [`topups refresh ${TOPUP}`],
  'topups cancel': [`topups cancel ${TOPUP} --yes`],
  'withdrawals list': [`withdrawals list --user ${USER}`],
  'withdrawals get': [`withdrawals get ${WITHDRAWAL}`],
  'withdrawals create': [`withdrawals create --user ${USER} --amount 20.00 --to ada@example.com`],
  'withdrawals commit': [`withdrawals commit ${WITHDRAWAL} --yes`],
  'withdrawals cancel': [`withdrawals cancel ${WITHDRAWAL} --yes`],
  'debts list': ['debts list', `debts list --user ${USER}`],
  'debts write-off': [`debts write-off ${USER} --amount 45.00 --reason "not worth a lawyer" --yes`],
  'withdrawals refresh': [`withdrawals refresh ${WITHDRAWAL}`],
  'webhooks list': ['webhooks list'],
  'webhooks get': [`webhooks get ${ENDPOINT}`],
  'webhooks create': ['webhooks create https://example.com/webhooks --types order.*,dispute.resolved'],
  'webhooks test': [`webhooks test ${ENDPOINT}`],
  'webhooks pause': [`webhooks pause ${ENDPOINT} --reason maintenance`],
  'webhooks resume': [`webhooks resume ${ENDPOINT}`],
  'webhooks rotate': [`webhooks rotate ${ENDPOINT} --overlap 2h --yes`],
  'webhooks delete': [`webhooks delete ${ENDPOINT} --yes`],
  'webhooks deliveries': [`webhooks deliveries ${ENDPOINT} --limit 50`],
  'webhooks replay': [`webhooks replay ${ENDPOINT} --event ${EVENT}`, `webhooks replay ${ENDPOINT} --since 2026-11-01T00:00:00Z`],
  'events tail': ['events tail --types order.*'],
  'events log': ['events log --after 2026-11-01T00:00:00Z --limit 100'],
  'keys list': ['keys list', 'keys list --all-marketplaces'],
  'keys me': ['keys me'],
  'keys create': ['keys create shop --scopes read,write'],
  'keys rotate': [`keys rotate ${KEY} --overlap 1d --yes`],
  'keys revoke': [`keys revoke ${KEY} --yes`],
  'recover status': ['recover status'],
  'recover findings': ['recover findings --all'],
  'recover log': ['recover log api-1.log api-2.log'],
  'recover seeds': ['recover seeds --from postgres://owner@newest.internal/holdfast'],
  'recover open': ['recover open --reason "the findings are settled" --yes'],
  'stops list': [`stops list ${MARKETPLACE}`],
  'stops set': [`stops set ${MARKETPLACE} money --reason "a leaked key"`],
  'stops lift': [`stops lift ${MARKETPLACE} money --reason "the key is revoked"`],
  'terms show': [`terms show ${MARKETPLACE}`],
  'terms set': [`terms set ${MARKETPLACE} --payin-fee user --debt-limit 500.00 --reason "new contract"`],
  'clock now': ['clock now'],
  'clock advance': ['clock advance 14d'],
  'fault kinds': ['fault kinds'],
  'fault list': ['fault list'],
  'fault set': ['fault set escrow release drop-after', 'fault set payment payout.create reject --times 2'],
  'fault clear': ['fault clear'],
  'verify books': ['verify books', 'verify books --database postgres://localhost/holdfast'],
  'verify audit': ['verify audit --database postgres://localhost/holdfast'],
  'verify-archive': ['verify-archive /var/lib/holdfast/audit --key audit.pub'],
  'recon run': ['recon run --with payment_provider'],
  'recon runs': ['recon runs'],
  'recon exceptions': ['recon exceptions --status OPEN'],
  'recon resolve': [`recon resolve ${EXCEPTION} --action CREDIT_USER --user ${USER} --reason Deposit --yes`],
  open: ['open console', 'open docs'],
  completion: ['completion bash > ~/.holdfast-completion && source ~/.holdfast-completion'],
  api: ['api'],
  worker: ['worker'],
  migrate: ['migrate'],
  sandbox: ['sandbox --port 4500 --data ./sandbox'],
};

export const EXAMPLE_PATHS: readonly string[] = Object.keys(EXAMPLES);

/** As typed, with the program's name. */
export function examplesOf(path: string): readonly string[] {
  return (EXAMPLES[path] ?? []).map((line) => `holdfast ${line}`);
}

export function showExamples(program: Command, path: readonly string[] = []): void {
  for (const command of program.commands) {
    const own = [...path, command.name()];
    const lines = examplesOf(own.join(' '));
    const head = lines.length === 1 ? 'Example:' : 'Examples:';
    if (lines.length > 0)
      command.addHelpText('after', ['', head, ...lines.map((line) => `  $ ${line}`)].join('\n'));
    showExamples(command, own);
  }
}
