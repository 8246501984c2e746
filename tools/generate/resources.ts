//! Which page of the API reference an endpoint stands on.
import type { Endpoint } from '@holdfast/contract/endpoint';

export interface Resource {
  readonly slug: string;
  readonly title: string;
  readonly means: string;
  readonly paths: RegExp;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const SURFACE_A: readonly Resource[] = [
  { slug: 'keys', title: 'Keys and tokens', means: 'Who calls: API keys of a marketplace, and short-lived tokens made from them.', paths: /^\/auth\// },
  { slug: 'marketplaces', title: 'Marketplaces', means: 'Tenants of a deployment, made and limited by the operator with the master key.', paths: /^\/marketplaces/ },
  { slug: 'operators', title: 'Operators and sessions', means: 'People who sign in, in which marketplaces they have which role, and who manages them.', paths: /^\/operators/ },
  { slug: 'approvals', title: 'Approvals', means: 'What an operator asked for that a second one must agree to.', paths: /^\/approvals/ },
  { slug: 'platform', title: 'Configuration and health', means: 'What anyone may read: limits, features, and how each part is.', paths: /^\/(config|health)/ },
  { slug: 'statements', title: 'Statements and reports', means: 'Lists that sum to the cent, as JSON or as a table.', paths: /statement|^\/reports/ },
  { slug: 'balances', title: 'Balances', means: "A user's available and reserved money, and what moves it by hand.", paths: /\/balance/ },
  { slug: 'wallets', title: 'Wallets', means: "A user's address on the ledger network.", paths: /\/wallet/ },
  { slug: 'users', title: 'Users', means: 'The buyers and sellers of a marketplace.', paths: /^\/users/ },
  { slug: 'topups', title: 'Top-ups', means: 'Money in, through the payment provider.', paths: /^\/topups/ },
  { slug: 'escrow', title: 'Escrow and resolution', means: 'The contract of an order: deployed, funded, and paid out.', paths: /^\/orders\/\{\w+\}\/(escrow|resolution)/ },
  { slug: 'orders', title: 'Orders', means: 'An agreement between a buyer and a seller, and its milestones.', paths: /^\/orders/ },
  { slug: 'disputes', title: 'Disputes', means: 'An order that its parties do not agree on, and the decision about it.', paths: /^\/disputes/ },
  { slug: 'withdrawals', title: 'Withdrawals', means: 'Money out, through the payment provider or over the network.', paths: /^\/withdrawals/ },
  { slug: 'events', title: 'Event stream and log', means: 'Everything that changed, pushed or pulled, from the same log.', paths: /^\/events/ },
  { slug: 'webhook-endpoints', title: 'Webhook endpoints', means: 'Where Holdfast sends events to, signed, and what became of each delivery.', paths: /^\/webhook-endpoints/ },
  { slug: 'provider-webhooks', title: 'Webhooks of providers', means: 'What the providers call. You configure these addresses with them; you do not call them.', paths: /^\/webhooks/ },
  { slug: 'operations', title: 'Operations', means: 'What a call began that waits for a provider: what PROVIDER_TIMEOUT names.', paths: /^\/operations/ },
  { slug: 'reconciliation', title: 'Reconciliation', means: 'Our books against the payment provider and the network.', paths: /^\/reconciliation/ },
  { slug: 'solvency', title: 'Solvency', means: 'Is what we owe really there?', paths: /^\/solvency/ },
  { slug: 'ledger', title: 'Ledger', means: 'The books themselves: accounts, what they hold now or held at a time, and every entry.', paths: /^\/ledger/ },
  { slug: 'search', title: 'Search and insights', means: 'Anything by its id, and the figures of a home page.', paths: /^\/(search|insights)/ },
  { slug: 'inbox', title: 'Inbox', means: 'What providers told us, to the byte, and what became of it.', paths: /^\/inbox/ },
  { slug: 'requests', title: 'Request log', means: 'Who called what lately, and which Idempotency-Keys are remembered.', paths: /^\/(request-log|idempotency-keys)/ },
  { slug: 'system', title: 'System and lab', means: 'How the parts of the deployment are, and in development the time, the faults and the stories of the sandbox.', paths: /^\/(system|lab)/ },
  { slug: 'audit', title: 'Audit', means: 'Who did what, in a chain of hashes.', paths: /^\/audit/ },
];

const SURFACE_B: Resource = {
  slug: 'members',
  title: 'Members (Surface B)',
  means: 'The small surface at the root, for people: login, balances, wallets, projects.',
  paths: /^\//,
};

export const RESOURCES: readonly Resource[] = [...SURFACE_A, SURFACE_B];

export function resourceOf({ surface, path, id }: Endpoint): Resource {
  const found = surface === 'b' ? SURFACE_B : SURFACE_A.find(({ paths }) => paths.test(path));
  if (found === undefined) throw new Error(`${id} stands on no page: add ${path} to resources.ts`);
  return found;
}
