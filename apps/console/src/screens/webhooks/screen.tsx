//! Webhooks: the endpoints that events are sent to, and how they fare.
import { statesOf } from '@holdfast/contract/machine';
import { webhookMachine } from '@holdfast/contract/webhook-machine';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { chosen } from '#app/chosen.ts';
import { useGo, useUrlState } from '#app/go.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { CreateEndpoint } from '#screens/webhooks/create-endpoint.tsx';

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
  { title: 'Types', show: ({ types }) => (types.includes('*') ? 'every event' : types.join(', ')) },
  { title: 'Waiting', isEnd: true, show: ({ backlog }) => backlog },
  { title: 'Failures', isEnd: true, show: ({ failures }) => failures },
  {
    title: 'Last delivered',
    show: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} isShort />,
  },
  { title: 'Next try', show: ({ nextTryAt }) => <Moment at={nextTryAt} isShort /> },
];

export function Screen() {
  const [state] = useUrlState();
  const go = useGo();
  const query = { status: chosen(state['status'], STATES), limit: 100 };
  return (
    <>
      <ScreenHead
        title="Webhooks"
        note="Events are sent signed, in order, at least once. What an endpoint missed is kept for it."
        actions={<CreateEndpoint />}
      />
      <FilterBar
        screen="webhooks"
        filters={[{ name: 'status', label: 'State', choices: STATES }]}
      />
      <DataTable
        label="Webhook endpoints"
        topic="WebhookEndpoint"
        queryKey={['endpoints', query]}
        list={(holdfast, signal) => holdfast.webhookEndpoints.list(query, { signal })}
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
