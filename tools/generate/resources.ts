//! Maps each endpoint to its page of the API reference.
import type { Endpoint } from '@holdfast/contract/endpoint';

export interface Resource {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly paths: RegExp;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const SURFACE_A: readonly Resource[] = [
  { slug: 'keys', title: 'Keys and tokens', description: 'API keys of a marketplace, and short-lived tokens issued from them.', paths: /^\/auth\// },
  { slug: 'marketplaces', title: 'Marketplaces', description: 'Tenants of a deployment, created and limited with the master key.', paths: /^\/marketplaces/ },
  { slug: 'operators', title: 'Operators and sessions', description: 'Operator accounts, their roles in marketplaces, and sessions.', paths: /^\/operators/ },
  { slug: 'approvals', title: 'Approvals', description: 'Requests of operators that need a second approver.', paths: /^\/approvals/ },
  { slug: 'platform', title: 'Configuration and health', description: 'Public information: limits, features, and component health.', paths: /^\/(config|health)/ },
  { slug: 'statements', title: 'Statements and reports', description: 'Statements that add up to the cent, as JSON or as a table.', paths: /statement|^\/reports/ },
  { slug: 'balances', title: 'Balances', description: 'Available and reserved money of a user, and manual adjustments.', paths: /\/balance/ },
  { slug: 'wallets', title: 'Wallets', description: 'The address of a user on the Stellar network.', paths: /\/wallet/ },
  { slug: 'users', title: 'Users', description: 'The buyers and sellers of a marketplace.', paths: /^\/users/ },
  { slug: 'topups', title: 'Top-ups', description: 'Money in, through the payment provider.', paths: /^\/topups/ },
  { slug: 'escrow', title: 'Escrow and resolution', description: 'The contract of an order: deployed, funded, and paid out.', paths: /^\/orders\/\{\w+\}\/(escrow|resolution)/ },
  { slug: 'orders', title: 'Orders', description: 'Orders between a buyer and a seller, with their milestones.', paths: /^\/orders/ },
  { slug: 'disputes', title: 'Disputes', description: 'Disputes about orders, and the decisions on them.', paths: /^\/disputes/ },
  { slug: 'withdrawals', title: 'Withdrawals', description: 'Money out, through the payment provider or over the network.', paths: /^\/withdrawals/ },
  { slug: 'events', title: 'Event stream and log', description: 'All changes, streamed or polled, from the same log.', paths: /^\/events/ },
  { slug: 'webhook-endpoints', title: 'Webhook endpoints', description: 'URLs that receive signed events, and their deliveries.', paths: /^\/webhook-endpoints/ },
  { slug: 'provider-webhooks', title: 'Webhooks of providers', description: 'Endpoints for the providers. Configure these URLs there; do not call them.', paths: /^\/webhooks/ },
  { slug: 'operations', title: 'Operations', description: 'Provider work started by a call; PROVIDER_TIMEOUT returns its id.', paths: /^\/operations/ },
  { slug: 'reconciliation', title: 'Reconciliation', description: 'Comparison of the books with the payment provider and the network.', paths: /^\/reconciliation/ },
  { slug: 'solvency', title: 'Solvency', description: 'Comparison of money held with money owed, and the pause of all payouts.', paths: /^\/(solvency|payouts)/ },
  { slug: 'recovery', title: 'Recovery', description: 'What a database has forgotten after a restore or a failover, and its opening.', paths: /^\/recovery/ },
  { slug: 'ledger', title: 'Ledger', description: 'The books: accounts, their balances now or at a given time, and all entries.', paths: /^\/ledger/ },
  { slug: 'search', title: 'Search and insights', description: 'Search by id, and the figures of the home page.', paths: /^\/(search|insights)/ },
  { slug: 'inbox', title: 'Inbox', description: 'Provider notifications with their original body, and their processing status.', paths: /^\/inbox/ },
  { slug: 'requests', title: 'Request log', description: 'Recent requests, and stored Idempotency-Keys.', paths: /^\/(request-log|idempotency-keys)/ },
  { slug: 'system', title: 'System and lab', description: 'Health of the deployment, and in development the clock, faults and scenarios of the sandbox.', paths: /^\/(system|lab)/ },
  { slug: 'audit', title: 'Audit', description: 'Actions with their actors, in a hash chain.', paths: /^\/audit/ },
];

const SURFACE_B: Resource = {
  slug: 'members',
  title: 'Members (Surface B)',
  description: 'The API for members, at the root: login, balances, wallets, projects.',
  paths: /^\//,
};

export const RESOURCES: readonly Resource[] = [...SURFACE_A, SURFACE_B];

export function resourceOf({ surface, path, id }: Endpoint): Resource {
  const found = surface === 'b' ? SURFACE_B : SURFACE_A.find(({ paths }) => paths.test(path));
  if (found === undefined) throw new Error(`${id} stands on no page: add ${path} to resources.ts`);
  return found;
}
