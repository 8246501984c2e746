//! The subject of an event, for either provider: the resource it is about.

import type { Call, ProviderActor } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import type { ApplyResult, MarkNotification } from '../../providers/notification.ts';
import type { ProviderEvent } from './inbox.ts';

export interface EventSubject {
  readonly marketplace: RowNumber;
  readonly resourceType: 'Order' | 'TopUp' | 'Withdrawal';
  readonly resourceId: string;
  readonly apply: (call: Call<ProviderActor>, mark: MarkNotification) => Promise<ApplyResult>;
}

/** Returns a verdict when the subject is unknown or the event cannot be parsed. */
export type Finder = (event: ProviderEvent) => Promise<EventSubject | ApplyResult>;

export function isVerdict(found: EventSubject | ApplyResult): found is ApplyResult {
  return 'kind' in found;
}
