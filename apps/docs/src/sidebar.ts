//! The order of the pages. A page without a group fails the build: readers could not find it.
import { pageFiles, readSource } from './repository.ts';

interface Item {
  readonly label: string;
  readonly slug: string;
}

interface Group {
  readonly label: string;
  readonly items: (Item | Group)[];
  readonly collapsed?: boolean;
}

const titles = new Map(
  pageFiles().map(({ path, id }) => [id, /^# (.+)$/m.exec(readSource(path))?.[1] ?? id]),
);

function item(slug: string, label = (titles.get(slug) ?? slug).replaceAll('`', '')): Item {
  return { slug, label };
}

const named = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([slug, label]) => item(slug, label));

/** Every page whose name fits, by its title. */
function like(pattern: RegExp): Item[] {
  return [...titles.keys()].filter((id) => pattern.test(id)).map((id) => item(id));
}

/** The runbooks, after the page that lists them. */
function runbooks(): Item[] {
  return [item('operations/runbooks', 'Overview'), ...like(/^operations\/runbooks\//)];
}

const groups: Group[] = [
  {
    label: 'Start',
    items: named({
      quickstart: 'Quickstart',
      glossary: 'Glossary',
    }),
  },
  {
    label: 'Concepts',
    items: named({
      'concepts/balances': 'Balances and the journal',
      'concepts/orders': 'Order life cycle',
      'concepts/unknown-outcomes': 'Unknown outcomes',
      'concepts/events': 'Events and cursors',
      'concepts/idempotency': 'Idempotency',
      'concepts/money': 'Money and rounding',
      'concepts/tenants': 'Marketplaces and keys',
      'concepts/two-apis': 'Two APIs',
    }),
  },
  {
    label: 'Guides',
    items: named({
      'guides/orders': 'Checkout',
      'guides/milestones': 'Milestones',
      'guides/disputes': 'Disputes and splits',
      'guides/topups': 'Top-ups',
      'guides/deposits': 'Deposits',
      'guides/withdrawals': 'Withdrawals',
      'guides/events': 'Consuming events',
      'guides/webhooks': 'Webhooks',
      'guides/webhook-handlers': 'Webhooks in Express, Fastify and Next.js',
      'guides/testing': 'Testing with faults and the clock',
      'guides/provider-adapter': 'Writing a provider adapter',
      'guides/members': 'Members (Surface B)',
    }),
  },
  {
    label: 'Operate',
    items: [
      { label: 'Runbooks', collapsed: true, items: runbooks() },
      ...named({
        'guides/going-live': 'Going live',
        'operations/install': 'Install',
        'operations/nginx': 'SSE behind nginx',
        'operations/processes': 'Processes',
        'operations/restate': 'Running Restate',
        'operations/watch': 'Watch',
        'operations/alerts': 'Alerts',
        'operations/backups': 'Backups',
        'operations/recovery': 'After a restore or a failover',
        'operations/settings': 'Settings in production',
        'operations/database-roles': 'Database roles',
        'operations/upgrade': 'Upgrade',
        'operations/release': 'Releases and versions',
        'guides/console': 'The console',
        'guides/operators': 'Operators and approvals',
        'guides/reconciliation': 'Reconciliation and solvency',
        'operations/payouts-paused': 'Paused payouts',
        'operations/waiting-payouts': 'Payouts that wait',
        'operations/stop-a-marketplace': 'Stop a marketplace',
        'operations/operators': 'Operator sign-in problems',
        'operations/audit-archive': 'Audit archive',
      }),
    ],
  },
  {
    label: 'Reference',
    items: [
      item('reference', 'Overview'),
      {
        label: 'API',
        collapsed: true,
        items: [item('reference/endpoints', 'All endpoints'), ...like(/^reference\/api\//)],
      },
      item('reference/events', 'Events'),
      item('reference/errors', 'Errors'),
      { label: 'States', collapsed: true, items: like(/^reference\/\w+-states$/) },
      item('reference/configuration', 'Configuration'),
      item('reference/jobs', 'Background jobs'),
      item('reference/metrics', 'Metrics'),
      item('reference/cli', 'Command line'),
      item('reference/sdk', 'SDK'),
    ],
  },
  {
    label: 'Project',
    items: [
      ...named({
        'project/architecture': 'Architecture',
        roadmap: 'Roadmap',
        'project/changelog': 'Changelog',
        'project/contributing': 'Contributing',
        'project/security': 'Security',
        dependencies: 'Dependencies',
      }),
      item('decisions', 'Decisions'),
    ],
  },
];

function slugsOf(items: readonly (Item | Group)[]): string[] {
  return items.flatMap((one) => ('slug' in one ? [one.slug] : slugsOf(one.items)));
}

const listed = new Set(['index', ...slugsOf(groups)]);
/** Too many to list: the page above them does. */
const LISTED_ABOVE = /^(reference\/errors|decisions)\//;

const [lost] = [...titles.keys()].filter((id) => !listed.has(id) && !LISTED_ABOVE.test(id));
if (lost !== undefined) throw new Error(`${lost} has no place in the sidebar`);
const [absent] = [...listed].filter((id) => !titles.has(id));
if (absent !== undefined) throw new Error(`the sidebar names ${absent}, which is not there`);

export const sidebar: readonly Group[] = groups;
