//! Changing where an endpoint is and what it wants.
import { ADMIN } from '@holdfast/contract/roles';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { EndpointAction } from '#screens/webhook/endpoint-action.tsx';
import { EndpointFields } from '#screens/webhooks/endpoint-fields.tsx';
import {
  changeLines,
  changesOf,
  type EndpointWish,
  missingOf,
} from '#screens/webhooks/endpoint-wish.ts';

export function EditEndpoint({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const holdfast = useHoldfast();
  const [edits, setEdits] = useState<Partial<EndpointWish>>({});
  const { url, types, description } = endpoint;
  const wish: EndpointWish = { url, types, description: description ?? '', ...edits };
  const changes = changesOf(endpoint, wish);
  const isSame = Object.keys(changes).length === 0;
  return (
    <EndpointAction
      endpoint={endpoint}
      label="Edit"
      roles={ADMIN}
      title="Change the endpoint"
      lines={
        isSame ? ['Nothing yet: change the address or the types.'] : changeLines(endpoint, changes)
      }
      confirm="Change it"
      missing={missingOf(wish) ?? (isSame ? 'Nothing is changed' : undefined)}
      done="The endpoint is changed"
      run={async (reason) => {
        await holdfast.webhookEndpoints.update(endpoint.id, changes, { reason });
        setEdits({});
      }}
    >
      <EndpointFields wish={wish} change={(some) => setEdits({ ...edits, ...some })} />
    </EndpointAction>
  );
}
