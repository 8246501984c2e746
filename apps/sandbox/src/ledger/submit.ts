//! The one entry point for envelopes from clients, with the injected faults.
import type { ServerResponse } from 'node:http';
import { applyFaultAfter, applyFaultBefore, type FaultKind } from '../faults.ts';
import type { World } from '../world.ts';
import type { Envelope } from './envelope.ts';
import type { SubmitOutcome } from './ledger.ts';

export interface Submission {
  readonly outcome: SubmitOutcome;
  /** Set when a fault leaves the response to the caller, such as `no-contract-id`. */
  readonly fault: FaultKind | undefined;
}

/**
 * Undefined when a fault has sent the response. Throws MalformedEnvelope before a fault is used.
 * `answerError` sends the response for `error-after`; without it that is a plain 500.
 */
export async function submitWithFaults(
  world: World,
  envelopeXdr: string,
  response: ServerResponse,
  sendError?: (response: ServerResponse) => void,
): Promise<Submission | undefined> {
  const envelope = world.ledger.read(envelopeXdr);
  const fault = takeFault(world, envelope);
  if (applyFaultBefore(fault, response)) return undefined;
  // Before it is applied: listeners must see the flag.
  if (fault === 'no-contract-id') world.ledger.withheld.add(envelope.hash);
  const outcome = world.ledger.submit(envelope, { isRejected: fault === 'reject' });
  if (fault === 'error-after' && sendError !== undefined) {
    sendError(response);
    return undefined;
  }
  return (await applyFaultAfter(fault, response)) ? undefined : { outcome, fault };
}

/** A step of the escrow provider has its own faults; else it is a submission like any other. */
function takeFault({ faults, ledger }: World, { call }: Envelope): FaultKind | undefined {
  const host = call && ledger.hostOf(call.contractId);
  const operation = call && host?.operationOf(call.functionName);
  const own = operation === undefined ? undefined : faults.take('escrow', operation);
  return own ?? faults.take('ledger', 'submit');
}
