//! Creates an endpoint; its secret is shown once.
import { ADMIN } from '@holdfast/contract/roles';
import type { NewWebhookEndpoint } from '@holdfast/sdk';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { useSecretOnce } from '#parts/action/secret-once.tsx';
import { type EndpointDraft, missingOf, typesText } from '#screens/webhooks/endpoint-draft.ts';
import { EndpointFields } from '#screens/webhooks/endpoint-fields.tsx';

const NEW: EndpointDraft = { url: '', types: ['*'], description: '' };

export function CreateEndpoint() {
  const holdfast = useHoldfast();
  const [draft, setDraft] = useState(NEW);
  const { showSecret, shown } = useSecretOnce();
  const { url, types, description } = draft;
  const create = async (reason: string) => {
    const input = {
      url,
      types: types as NewWebhookEndpoint['types'],
      ...(description !== '' && { description }),
    };
    const created = await holdfast.webhookEndpoints.create(input, { reason });
    showSecret({
      what: 'Signing secret',
      secret: created.secret,
      ifLost: 'Open the endpoint and rotate its secret.',
    });
    setDraft({ ...NEW, types });
  };
  return (
    <>
      <ActionButton
        label="Add endpoint"
        isPrimary
        roles={ADMIN}
        title="Add webhook endpoint"
        effect={
          <EffectList
            lines={[
              `Sends new events to ${url === '' ? 'the URL' : url}.`,
              `Event types: ${typesText(types)}.`,
              'The signing secret is shown once.',
            ]}
          />
        }
        confirm="Add"
        done="Endpoint added"
        missing={missingOf(draft)}
        touches={['WebhookEndpoint']}
        run={create}
      >
        <EndpointFields draft={draft} change={(changes) => setDraft({ ...draft, ...changes })} />
      </ActionButton>
      {shown}
    </>
  );
}
