//! Changes the URL, the description and the event types of an endpoint.
import { ADMIN } from '@holdfast/contract/roles';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { EndpointAction } from '#screens/webhook/endpoint-action.tsx';
import {
  changeLines,
  changesOf,
  type EndpointDraft,
  missingOf,
} from '#screens/webhooks/endpoint-draft.ts';
import { EndpointFields } from '#screens/webhooks/endpoint-fields.tsx';

export function EditEndpoint({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const holdfast = useHoldfast();
  const [edits, setEdits] = useState<Partial<EndpointDraft>>({});
  const { url, types, description } = endpoint;
  const draft: EndpointDraft = { url, types, description: description ?? '', ...edits };
  const changes = changesOf(endpoint, draft);
  const isSame = Object.keys(changes).length === 0;
  return (
    <EndpointAction
      endpoint={endpoint}
      label="Edit"
      roles={ADMIN}
      title="Edit endpoint"
      lines={
        isSame
          ? ['No changes yet. Edit the URL, the event types or the description.']
          : changeLines(endpoint, changes)
      }
      confirm="Save"
      missing={missingOf(draft) ?? (isSame ? 'No changes' : undefined)}
      done="Endpoint updated"
      run={async (reason) => {
        await holdfast.webhookEndpoints.update(endpoint.id, changes, { reason });
        setEdits({});
      }}
    >
      <EndpointFields draft={draft} change={(some) => setEdits({ ...edits, ...some })} />
    </EndpointAction>
  );
}
