//! The life cycle of a webhook endpoint. While it is paused, its backlog grows and is kept.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const webhookMachine = defineMachine({
  name: 'webhook',
  initial: 'ACTIVE',
  inFlight: [],
  states: {
    ACTIVE: 'Events are sent as they happen.',
    PAUSED: 'Nothing is sent; events are kept for later.',
    DISABLED: 'Disabled permanently. Past deliveries stay visible.',
  },
  moves: {
    pause:   { from: ['ACTIVE'], to: 'PAUSED', emits: ['webhook.paused'], description: 'Manually; or by the service, when the endpoint keeps failing or returns 410.' },
    resume:  { from: ['PAUSED'], to: 'ACTIVE', emits: [], description: 'Continues after the last delivered event.' },
    disable: { from: ['ACTIVE', 'PAUSED'], to: 'DISABLED', emits: [] },
  },
});

export type WebhookState = StateOf<typeof webhookMachine>;
export type WebhookMove = MoveOf<typeof webhookMachine>;
