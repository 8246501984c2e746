//! Making an endpoint; its secret is shown once.
import { ADMIN } from '@holdfast/contract/roles';
import type { NewWebhookEndpoint } from '@holdfast/sdk';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { useSecretOnce } from '#parts/secret-once.tsx';
import { EndpointFields } from '#screens/webhooks/endpoint-fields.tsx';
import { type EndpointWish, missingOf, typesText } from '#screens/webhooks/endpoint-wish.ts';

const NEW: EndpointWish = { url: '', types: ['*'], description: '' };

export function CreateEndpoint() {
  const holdfast = useHoldfast();
  const [wish, setWish] = useState(NEW);
  const { tell, shown } = useSecretOnce();
  const { url, types, description } = wish;
  const create = async (reason: string) => {
    const input = {
      url,
      types: types as NewWebhookEndpoint['types'],
      ...(description !== '' && { description }),
    };
    const made = await holdfast.webhookEndpoints.create(input, { reason });
    tell({
      what: 'Signing secret of the endpoint',
      secret: made.secret,
      ifLost: 'Open the endpoint in the list and rotate its secret.',
    });
    setWish({ ...NEW, types });
  };
  return (
    <>
      <ActionButton
        label="Make an endpoint"
        isPrimary
        roles={ADMIN}
        title="Make a webhook endpoint"
        effect={
          <EffectList
            lines={[
              `Events that happen from now on are sent to ${url === '' ? 'the address' : url}.`,
              `Of these types: ${typesText(types)}.`,
              'Its secret is shown once, when it is made.',
            ]}
          />
        }
        confirm="Make it"
        done="The endpoint is made"
        missing={missingOf(wish)}
        touches={['WebhookEndpoint']}
        run={create}
      >
        <EndpointFields wish={wish} change={(changes) => setWish({ ...wish, ...changes })} />
      </ActionButton>
      {shown}
    </>
  );
}
