//! The one way in for envelopes from outside, with the faults that the world was told to have.
import type { ServerResponse } from 'node:http';
import { type FaultKind, strikeAfter, strikeBefore } from '../faults.ts';
import type { World } from '../world.ts';
import type { Envelope } from './envelope.ts';
import type { SubmitOutcome } from './ledger.ts';

export interface Submission {
  readonly outcome: SubmitOutcome;
  /** Set when a fault struck that left the answer to the caller, such as `no-contract-id`. */
  readonly fault: FaultKind | undefined;
}

/**
 * Undefined when a fault has answered already. Throws MalformedEnvelope before any fault is used.
 * `answerError` says how this entrance answers `error-after`; without it that is a plain 500.
 */
export async function submitWithFaults(
  world: World,
  envelopeXdr: string,
  response: ServerResponse,
  answerError?: (response: ServerResponse) => void,
): Promise<Submission | undefined> {
  const envelope = world.ledger.read(envelopeXdr);
  const fault = takeFault(world, envelope);
  if (strikeBefore(fault, response)) return undefined;
  // Before it is applied: those who are told of it then must know.
  if (fault === 'no-contract-id') world.ledger.withheld.add(envelope.hash);
  const outcome = world.ledger.submit(envelope, { isRejected: fault === 'reject' });
  if (fault === 'error-after' && answerError !== undefined) {
    answerError(response);
    return undefined;
  }
  return (await strikeAfter(fault, response)) ? undefined : { outcome, fault };
}

/** A step of the escrow provider has its own faults; else it is a submission like any other. */
function takeFault({ faults, ledger }: World, { call }: Envelope): FaultKind | undefined {
  const host = call && ledger.hostOf(call.contractId);
  const operation = call && host?.operationOf(call.functionName);
  const own = operation === undefined ? undefined : faults.take('escrow', operation);
  return own ?? faults.take('ledger', 'submit');
}
