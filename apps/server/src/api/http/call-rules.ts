//! What an endpoint's declaration says about the transactions of its calls.
import { type Endpoint, isRefusedWhenFrozen } from '@holdfast/contract/endpoint';
import type { Call } from '../../platform/call.ts';

export function rulesOf(endpoint: Endpoint): Pick<Call, 'movesMoney' | 'worksDuringRecovery'> {
  return {
    movesMoney: isRefusedWhenFrozen(endpoint),
    worksDuringRecovery: endpoint.worksDuringRecovery === true,
  };
}
