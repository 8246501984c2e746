//! What an event turns out to be about, whichever provider sent it.

import type { Call, ProviderActor } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import type { Seal, Verdict } from '../providers/notice.ts';
import type { ProviderEvent } from './provider-event.ts';

export interface Noticed {
  readonly marketplace: RowNumber;
  readonly resourceType: 'Order' | 'TopUp' | 'Withdrawal';
  readonly resourceId: string;
  readonly apply: (call: Call<ProviderActor>, seal: Seal) => Promise<Verdict>;
}

/** A verdict where it is about nothing that we know, or can't be read. */
export type Finder = (event: ProviderEvent) => Promise<Noticed | Verdict>;

export function isVerdict(found: Noticed | Verdict): found is Verdict {
  return 'kind' in found;
}
