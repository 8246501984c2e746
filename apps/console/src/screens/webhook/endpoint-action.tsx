//! An action on an endpoint: off once it is out of use, and the endpoint is read anew afterwards.
import type { WebhookEndpoint } from '@holdfast/sdk';
import type { ComponentProps } from 'react';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';

type Action = Omit<ComponentProps<typeof ActionButton>, 'effect' | 'touches' | 'whyNot'>;

interface Props extends Action {
  readonly endpoint: WebhookEndpoint;
  /** What it does, one sentence after the other. */
  readonly lines: readonly string[];
}

export function EndpointAction({ endpoint: { status }, lines, ...action }: Props) {
  return (
    <ActionButton
      {...action}
      whyNot={status === 'DISABLED' ? 'The endpoint is out of use' : undefined}
      effect={<EffectList lines={lines} />}
      touches={['WebhookEndpoint', 'Home']}
    />
  );
}
