//! Webhooks: the endpoints that events are sent to, and their delivery health.
import { statesOf } from '@holdfast/contract/machine';
import { webhookMachine } from '@holdfast/contract/machines/webhook-machine';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { CreateEndpoint } from '#screens/webhooks/create-endpoint.tsx';
import { typesTitle } from '#screens/webhooks/endpoint-draft.ts';

const EVERY_MS = 5_000;
const STATES = statesOf(webhookMachine);

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { title: 'URL', show: ({ url }) => <span className="hf-id">{url}</span> },
  {
    title: 'Status',
    show: ({ status, failures }) => (
      <StateBadge state={status === 'ACTIVE' && failures > 0 ? 'FAILING' : status} />
    ),
  },
  { title: 'Event types', show: ({ types }) => typesTitle(types) },
  { title: 'Pending events', isEnd: true, show: ({ backlog }) => backlog },
  { title: 'Consecutive failures', isEnd: true, show: ({ failures }) => failures },
  {
    title: 'Last delivered',
    show: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} isShort />,
  },
  { title: 'Next attempt', show: ({ nextTryAt }) => <Moment at={nextTryAt} isShort /> },
];

export function Screen() {
  const go = useGo();
  return (
    <>
      <ScreenHead
        title="Webhooks"
        note="Holdfast sends signed events in order, at least once. Undelivered events are queued and retried."
        actions={<CreateEndpoint />}
      />
      <FilteredTable
        label="Webhook endpoints"
        screen="webhooks"
        topic="WebhookEndpoint"
        filters={[{ name: 'status', label: 'Status', choices: STATES }]}
        list={(holdfast, query, options) => holdfast.webhookEndpoints.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/webhooks/${id}`)}
        everyMs={EVERY_MS}
        empty={
          <EmptyState title="No matching endpoints">
            Clear the filter, or add an endpoint to receive events as they happen. Verify signatures
            with <code>@holdfast/sdk/webhooks</code>.
          </EmptyState>
        }
      />
    </>
  );
}
