//! The button of an action on an endpoint: off while the endpoint is disabled, refreshes it
//! afterwards.
import type { WebhookEndpoint } from '@holdfast/sdk';
import type { ComponentProps } from 'react';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';

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
      whyNot={status === 'DISABLED' ? 'The endpoint is disabled' : undefined}
      effect={<EffectList lines={lines} />}
      touches={['WebhookEndpoint', 'Home']}
    />
  );
}
