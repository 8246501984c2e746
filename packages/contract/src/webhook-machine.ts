//! The life of an endpoint for webhooks. While it is paused its backlog grows and is kept.
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const webhookMachine = defineMachine({
  name: 'webhook',
  initial: 'ACTIVE',
  inFlight: [],
  states: {
    ACTIVE: 'Events are sent as they happen.',
    PAUSED: 'Nothing is sent; what happens is kept for later.',
    DISABLED: 'Out of use for good; what was sent can still be read.',
  },
  moves: {
    pause:   { from: ['ACTIVE'], to: 'PAUSED', emits: ['webhook.paused'], means: 'By hand; by the service, when the endpoint keeps failing or answers 410.' },
    resume:  { from: ['PAUSED'], to: 'ACTIVE', emits: [], means: 'Goes on behind the last delivered event.' },
    disable: { from: ['ACTIVE', 'PAUSED'], to: 'DISABLED', emits: [] },
  },
});

export type WebhookState = StateOf<typeof webhookMachine>;
export type WebhookMove = MoveOf<typeof webhookMachine>;
