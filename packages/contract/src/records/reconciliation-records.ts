//! The records of reconciliation and solvency. Amounts of the network have seven places.
import { type Static, Type } from 'typebox';
import {
  CAPITAL_LOCATIONS,
  EXCEPTION_ACTIONS,
  EXCEPTION_CAUSES,
  NETWORK_ASSETS,
  RECONCILED,
  SOLVENCY_STATUSES,
} from '#enums';
import { currency, id, instant, networkAmount, nullable, oneOf, openObject, record } from '#fields';
import { statesOf } from '#machine';
import { exceptionMachine } from '#machines/exception-machine';
import { runMachine } from '#machines/run-machine';

const count = () => Type.Integer({ minimum: 0 });
const words = () => nullable(Type.String());
const tally = () => record('ReconciliationTally', { count: count(), amount: networkAmount() });

/** What was compared with one provider in one currency. */
export const ReconciliationTotalsView = record('ReconciliationTotals', {
  provider: oneOf(RECONCILED),
  currency: currency(),
  matched: tally(),
  mismatched: tally(),
  /** The other side has it and our books do not. */
  missingHere: tally(),
  /** Our books have it and the other side does not. */
  missingThere: tally(),
  inFlight: tally(),
  dust: tally(),
});
export type ReconciliationTotalsView = Static<typeof ReconciliationTotalsView>;

export const ReconciliationRunView = record('ReconciliationRun', {
  id: id('rec'),
  status: oneOf(statesOf(runMachine)),
  providers: Type.Array(oneOf(RECONCILED)),
  operationId: id('op'),
  /** Records of the payment provider that were made since then were compared. */
  windowFrom: instant(),
  /** Null until the run is done. */
  totals: nullable(Type.Array(ReconciliationTotalsView)),
  exceptions: nullable(
    record('ReconciliationFindings', { opened: count(), seenAgain: count(), cleared: count() }),
  ),
  createdBy: Type.String(),
  createdAt: instant(),
  endedAt: nullable(instant()),
});
export type ReconciliationRunView = Static<typeof ReconciliationRunView>;

export const ReconciliationExceptionView = record('ReconciliationException', {
  id: id('exc'),
  provider: oneOf(RECONCILED),
  cause: oneOf(EXCEPTION_CAUSES),
  status: oneOf(statesOf(exceptionMachine)),
  currency: currency(),
  /** What the other side has more than our books; negative where it has less. */
  amount: networkAmount(),
  resourceType: words(),
  resourceId: words(),
  ours: nullable(openObject('Values in the books.')),
  theirs: nullable(openObject('Values at the provider or on the network.')),
  suggestedActions: Type.Array(oneOf(EXCEPTION_ACTIONS)),
  firstRunId: id('rec'),
  lastRunId: id('rec'),
  resolution: nullable(
    record('ExceptionResolution', {
      action: oneOf(EXCEPTION_ACTIONS),
      reason: Type.String(),
      resolvedBy: Type.String(),
      resolvedAt: instant(),
    }),
  ),
  createdAt: instant(),
  updatedAt: instant(),
});
export type ReconciliationExceptionView = Static<typeof ReconciliationExceptionView>;

const sum = () => networkAmount();

/** One asset and the currencies that it backs. */
export const SolvencyGroupView = record('SolvencyGroup', {
  asset: oneOf(NETWORK_ASSETS),
  backs: Type.Array(currency()),
  liabilities: record('SolvencyLiabilities', {
    users: sum(),
    escrow: sum(),
    fees: sum(),
    suspense: sum(),
    /** Received below one cent, and kept for whose it is. */
    dust: sum(),
    /** What the house put in, and has not taken out. */
    capital: sum(),
    /** Credits by hand that marketplaces have not paid in: less is owed from what is there. */
    adjustmentsOwed: sum(),
    /** Losses that an operator wrote off: no longer owed. */
    writtenOff: sum(),
    /** Kept by the escrow provider out of contracts, and paid out of capital. */
    providerFees: sum(),
    /** Kept by the payment provider out of pay-ins, and borne by marketplaces. */
    paymentFees: sum(),
    /** Taken back from users who had spent it already, and not repaid. */
    debtsOwed: sum(),
    /** The first six, less the last five. */
    total: sum(),
  }),
  assets: record('SolvencyAssets', {
    paymentProvider: sum(),
    treasury: sum(),
    platform: sum(),
    addresses: sum(),
    contracts: sum(),
    total: sum(),
  }),
  /** Assets less liabilities. */
  difference: sum(),
  /** The part of it that lies with the payment provider. */
  atPaymentProvider: sum(),
  /** How much of it transfers under way can explain. */
  inFlight: sum(),
  tolerance: sum(),
  status: oneOf(SOLVENCY_STATUSES),
});
export type SolvencyGroupView = Static<typeof SolvencyGroupView>;

/** A marketplace's own part: what it owes, and where that came from. */
export const SolvencyPartView = record('SolvencyPart', {
  asset: oneOf(NETWORK_ASSETS),
  backs: Type.Array(currency()),
  users: sum(),
  escrow: sum(),
  fees: sum(),
  suspense: sum(),
  writtenOff: sum(),
  /** Kept by the payment provider out of pay-ins. */
  paymentFees: sum(),
  /** What users owe. */
  debtsOwed: sum(),
  owed: sum(),
  paidIn: sum(),
  deposited: sum(),
  adjustmentsOwed: sum(),
  /** What its users' addresses were last known to hold. */
  atAddresses: sum(),
});
export type SolvencyPartView = Static<typeof SolvencyPartView>;

export const SolvencyView = record('Solvency', {
  status: oneOf(SOLVENCY_STATUSES),
  /** Null before the first reading. */
  takenAt: nullable(instant()),
  payoutsPaused: Type.Boolean(),
  pauseReason: words(),
  /** A platform admin's request to resume, which another one has to confirm. */
  resumeRequested: nullable(
    record('ResumeRequest', {
      requestedAt: instant(),
      requestedBy: id('opr'),
      reason: Type.String(),
    }),
  ),
  /** Who lifted the last pause, and why. Null while paused, and for callers who see no sums. */
  lastResumed: nullable(
    record('PayoutsResumption', {
      resumedAt: instant(),
      /** An operator's id, or `master`. */
      resumedBy: Type.String(),
      reason: Type.String(),
    }),
  ),
  /** The whole deployment: for the master key, and platform admins who name no marketplace. */
  deployment: nullable(
    record('SolvencyReading', {
      groups: Type.Array(SolvencyGroupView),
      /** Addresses are counted as the mirror knows them; so many were read this time. */
      addressesRead: count(),
      addressesKnown: count(),
    }),
  ),
  /** The caller's own marketplace; null for a caller without one. */
  marketplace: nullable(Type.Array(SolvencyPartView)),
});
export type SolvencyView = Static<typeof SolvencyView>;

/** An hour in which solvency was read, by the worst of its readings. It has no sums. */
export const SolvencyHourView = record('SolvencyHour', {
  hour: instant(),
  readings: count(),
  status: oneOf(SOLVENCY_STATUSES),
});
export type SolvencyHourView = Static<typeof SolvencyHourView>;

export const SolvencyHistoryView = record('SolvencyHistory', {
  from: instant(),
  /** Oldest first; an hour without a reading is not there. */
  hours: Type.Array(SolvencyHourView),
});
export type SolvencyHistoryView = Static<typeof SolvencyHistoryView>;

export const CapitalView = record('Capital', {
  location: oneOf(CAPITAL_LOCATIONS),
  asset: oneOf(NETWORK_ASSETS),
  amount: networkAmount(),
  reason: Type.String(),
  recordedAt: instant(),
});
export type CapitalView = Static<typeof CapitalView>;
