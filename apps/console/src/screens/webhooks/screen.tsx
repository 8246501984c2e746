//! Webhooks: the endpoints that events are sent to, and how they fare.
import { statesOf } from '@holdfast/contract/machine';
import { webhookMachine } from '@holdfast/contract/webhook-machine';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { CreateEndpoint } from '#screens/webhooks/create-endpoint.tsx';
import { typesText } from '#screens/webhooks/endpoint-wish.ts';

const EVERY_MS = 5_000;
const STATES = statesOf(webhookMachine);

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { title: 'Address', show: ({ url }) => <span className="hf-id">{url}</span> },
  {
    title: 'State',
    show: ({ status, failures }) => (
      <StateBadge state={status === 'ACTIVE' && failures > 0 ? 'FAILING' : status} />
    ),
  },
  { title: 'Types', show: ({ types }) => typesText(types) },
  { title: 'Waiting', isEnd: true, show: ({ backlog }) => backlog },
  { title: 'Failures', isEnd: true, show: ({ failures }) => failures },
  {
    title: 'Last delivered',
    show: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} isShort />,
  },
  { title: 'Next try', show: ({ nextTryAt }) => <Moment at={nextTryAt} isShort /> },
];

export function Screen() {
  const go = useGo();
  return (
    <>
      <ScreenHead
        title="Webhooks"
        note="Events are sent signed, in order, at least once. What an endpoint missed is kept for it."
        actions={<CreateEndpoint />}
      />
      <FilteredTable
        label="Webhook endpoints"
        screen="webhooks"
        topic="WebhookEndpoint"
        filters={[{ name: 'status', label: 'State', choices: STATES }]}
        list={(holdfast, query, options) => holdfast.webhookEndpoints.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/webhooks/${id}`)}
        everyMs={EVERY_MS}
        empty={
          <EmptyState title="No endpoints">
            Make one, and every event that happens from then on is sent to its address. Check the
            signature with <code>@holdfast/sdk/webhooks</code>.
          </EmptyState>
        }
      />
    </>
  );
}
