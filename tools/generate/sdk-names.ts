//! Names in the SDK: by a rule for new endpoints, and by this table where people expect another
//! word.
import type { Endpoint } from '@holdfast/contract/endpoint';

export interface MethodName {
  /** The property of the client, such as `orders`. */
  readonly resource: string;
  readonly method: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const NAMES: Readonly<Record<string, string>> = {
  createApiKey: 'keys.create', listApiKeys: 'keys.list', createToken: 'keys.createToken', getAuthContext: 'keys.current', revokeApiKey: 'keys.revoke', rotateApiKey: 'keys.rotate', fetchKeySecret: 'keys.fetchSecret',
  getConfig: 'config.get', getHealth: 'health.get', getDetailedHealth: 'health.detailed',
  linkPaymentAccount: 'users.linkPaymentAccount',
  getBalance: 'balances.get', creditBalance: 'balances.credit', debitBalance: 'balances.debit', reserveBalance: 'balances.reserve', releaseBalance: 'balances.release', cancelReservation: 'balances.cancelReservation', deductReserved: 'balances.deductReserved', syncBalance: 'balances.sync', verifyBalance: 'balances.verify',
  getWallet: 'wallets.get', getDepositAddress: 'wallets.depositAddress', listWalletTransactions: 'wallets.listTransactions',
  listMilestones: 'milestones.list', completeMilestone: 'milestones.complete',
  createEscrow: 'orders.createEscrow', fundEscrow: 'orders.fundEscrow', releaseOrder: 'orders.release', refundOrder: 'orders.refund', openDispute: 'orders.openDispute', getOrderTimeline: 'orders.timeline',
  listEventLog: 'events.log', listAuditLogs: 'audit.list',
  getUserStatement: 'statements.user', getWithdrawalStatement: 'statements.withdrawal', getFeeReport: 'statements.fees',
  rotateWebhookSecret: 'webhookEndpoints.rotateSecret', replayWebhookEvents: 'webhookEndpoints.replay', listWebhookDeliveries: 'webhookEndpoints.listDeliveries', testWebhookEndpoint: 'webhookEndpoints.sendTest',
  search: 'search.find', getHomeInsights: 'insights.home', getLedgerChart: 'ledger.chart', getOrderDetail: 'orders.detail', listNotifications: 'inbox.list', getNotification: 'inbox.get', rerunNotification: 'inbox.rerun',
  createReconciliationRun: 'reconciliation.createRun', listReconciliationRuns: 'reconciliation.listRuns', getReconciliationRun: 'reconciliation.getRun',
};

/**
 * Whether it gets a method. Endpoints outside the envelope do not: the providers sign their
 * notifications, a browser follows the callback, and the stream has `events.stream`.
 */
export function isCalled(endpoint: Endpoint): boolean {
  return endpoint.rawResponse === undefined;
}

/** Resources that have more than the contract's calls, in a file of their own: `#resources/…`. */
export const EXTENDED: readonly string[] = [
  'disputes',
  'events',
  'operations',
  'orders',
  'topups',
  'withdrawals',
];

/** Calls without a key that a field of their body makes safe to repeat. */
export const REFERENCES: Readonly<Record<string, string>> = { createOrder: 'clientOrderRef' };

export const RESOURCE_MEANS: Readonly<Record<string, string>> = {
  keys: 'API keys and the tokens made from them.',
  config: 'Currencies, limits, fee rate and features.',
  health: 'Health of the service and of each part.',
  users: 'The people and companies of a marketplace.',
  balances: "Users' balances: available and reserved.",
  wallets: "Users' addresses on the Stellar network.",
  topups: 'Money that comes in through the payment provider.',
  orders: 'Orders, from the reservation to the release.',
  milestones: "The parts of an order's work.",
  disputes: "Disputes, from the agent's side.",
  withdrawals: 'Money that goes out.',
  events: 'The event log: streamed, pulled, consumed with a durable cursor.',
  audit: 'Who did what, when.',
  marketplaces: 'Marketplaces and their limits; for the master key.',
  operations: 'Durable provider work: what PROVIDER_TIMEOUT names.',
  statements: 'Statements for finance, as JSON or CSV.',
  reconciliation: 'Our books against the providers.',
  solvency: 'Whether the money held equals the money owed.',
  operators: 'People who sign in, and who manages them.',
  approvals: 'Requests that need a second approver, and the decisions.',
  ledger: 'The books themselves: accounts and entries.',
  search: 'Finds any record by its id.',
  insights: 'The figures of a home page.',
  inbox: 'Notifications from providers, and their status.',
  requestLog: 'Who called what lately.',
  idempotencyKeys: 'Stored idempotency keys and their responses.',
  system: 'Status of the parts of the deployment.',
  lab: 'Time, faults and scenarios of the sandbox; only in development.',
  webhookEndpoints: 'Where Holdfast sends signed events, and what became of each delivery.',
};

/** `webhook-endpoints` is webhookEndpoints. */
function camel(text: string): string {
  return text.replace(/[-_ ](\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function pascal(text: string): string {
  const name = camel(text);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** orders is order, currencies is currency, statuses is status, parties is party. */
export function singular(text: string): string {
  if (/ies$/i.test(text)) return text.replace(/ies$/i, (end) => (end === 'IES' ? 'Y' : 'y'));
  if (/(us|ss|x)es$/i.test(text) && !/causes$/i.test(text)) return text.slice(0, -2);
  return /(?<![us])s$/i.test(text) ? text.slice(0, -1) : text;
}

/**
 * Its name in the SDK. The rule: the resource is the first word of the path, and the method is the
 * id without the resource's noun, so that `rotateWebhookEndpointSecret` is
 * `webhookEndpoints.rotateSecret`.
 */
export function methodOf(endpoint: Endpoint): MethodName {
  const named = NAMES[endpoint.id];
  if (named !== undefined) {
    const [resource = '', method = ''] = named.split('.');
    return { resource, method };
  }
  const resource = camel(endpoint.path.split('/')[1] ?? '');
  const noun = pascal(singular(resource));
  const method = endpoint.id.replace(new RegExp(`${noun}s?(?=[A-Z]|$)`), '');
  return { resource, method: method === '' ? endpoint.id : method };
}
