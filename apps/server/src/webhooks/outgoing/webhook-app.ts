//! The dependencies of webhooks.

import type { Engine } from '../../engine/engine.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import type { KeyWrapper } from '../../providers/signing/key-wrapper.ts';
import type { EventHub } from '../../record/events/hub.ts';
import type { Egress } from './egress.ts';

export interface Webhooks {
  /** Seals the secrets of endpoints; undefined where none is configured. */
  readonly keys: KeyWrapper | undefined;
  readonly egress: Egress;
}

export interface WebhookApp extends Transactor {
  readonly webhooks: Webhooks;
  readonly hub: EventHub;
  readonly engine: Engine;
  readonly cell: string;
  readonly version: string;
  readonly config: Pick<
    Config,
    'HOLDFAST_WEBHOOK_RETRY_SECONDS' | 'HOLDFAST_WEBHOOK_LOG_DAYS' | 'HOLDFAST_EVENT_RETENTION_DAYS'
  >;
}
