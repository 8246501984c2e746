//! Response views of reconciliation and solvency.
import type {
  CapitalView,
  ReconciliationExceptionView,
  ReconciliationRunView,
  ReconciliationTotalsView,
  SolvencyGroupView,
  SolvencyHistoryView,
  SolvencyPartView,
  SolvencyView,
} from '@holdfast/contract/records/reconciliation-records';
import { instantText } from '@holdfast/kernel/clock';
import type {
  getException,
  getReconciliationRun,
} from '../../../assurance/reconciliation/read-reconciliation.ts';
import type { getSolvency } from '../../../assurance/solvency/get-solvency.ts';
import type { SolvencyHistory } from '../../../assurance/solvency/get-solvency-history.ts';
import type { recordCapital } from '../../../assurance/solvency/record-capital.ts';

type Run = Awaited<ReturnType<typeof getReconciliationRun>>;
type Exception = Awaited<ReturnType<typeof getException>>;
type Solvency = Awaited<ReturnType<typeof getSolvency>>;
type Totals = NonNullable<Run['figures']>['totals'];
type Group = NonNullable<Solvency['reading']>['groups'][number];
type Part = NonNullable<Solvency['parts']>[number];

export function runView(run: Run): ReconciliationRunView {
  const { figures, endedAt } = run;
  return {
    id: run.id,
    status: run.status,
    providers: [...run.providers],
    operationId: run.operationId,
    windowFrom: instantText(run.windowFrom),
    totals: figures === null ? null : totalsView(figures.totals),
    exceptions: figures && {
      opened: figures.opened,
      seenAgain: figures.seenAgain,
      cleared: figures.cleared,
    },
    createdBy: run.createdBy,
    createdAt: instantText(run.createdAt),
    endedAt: instantText(endedAt),
  };
}

function totalsView(totals: Totals): ReconciliationTotalsView[] {
  return Object.entries(totals)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, tally]) => {
      const [provider, currency] = name.split(' ') as [
        ReconciliationTotalsView['provider'],
        ReconciliationTotalsView['currency'],
      ];
      const of = (head: keyof typeof tally) => {
        const { count, stroops } = tally[head];
        return { count, amount: amountText(BigInt(stroops)) };
      };
      return {
        provider,
        currency,
        matched: of('matched'),
        mismatched: of('mismatched'),
        missingHere: of('missingHere'),
        missingThere: of('missingThere'),
        inFlight: of('inFlight'),
        dust: of('dust'),
      };
    });
}

export function exceptionView(exception: Exception): ReconciliationExceptionView {
  const { resolution } = exception;
  return {
    id: exception.id,
    provider: exception.provider,
    cause: exception.cause,
    status: exception.status,
    currency: exception.currency,
    amount: amountText(exception.stroops),
    resourceType: exception.resourceType,
    resourceId: exception.resourceId,
    ours: exception.ours as Record<string, unknown> | null,
    theirs: exception.theirs as Record<string, unknown> | null,
    suggestedActions: [...exception.suggestedActions],
    firstRunId: exception.firstRunId,
    lastRunId: exception.lastRunId,
    resolution: resolution && {
      ...resolution,
      resolvedAt: instantText(resolution.resolvedAt),
    },
    createdAt: instantText(exception.createdAt),
    updatedAt: instantText(exception.updatedAt),
  };
}

export function solvencyView({ reading, pause, resumption, parts }: Solvency): SolvencyView {
  const isWhole = parts === undefined;
  return {
    status: reading?.status ?? 'UNSETTLED',
    takenAt: reading === undefined ? null : instantText(reading.takenAt),
    payoutsPaused: pause !== undefined,
    // An operator's text about either may mention any marketplace.
    pauseReason: isWhole ? (pause?.reason ?? null) : null,
    resumeRequested:
      isWhole && pause !== undefined && pause.resumeRequest !== null
        ? { ...pause.resumeRequest, requestedAt: instantText(pause.resumeRequest.requestedAt) }
        : null,
    lastResumed:
      isWhole && resumption !== undefined
        ? { ...resumption, resumedAt: instantText(resumption.resumedAt) }
        : null,
    deployment:
      isWhole && reading !== undefined
        ? {
            groups: reading.groups.map(groupView),
            addressesRead: reading.addressesRead,
            addressesKnown: reading.addressesKnown,
          }
        : null,
    marketplace: parts === undefined ? null : parts.map(partView),
  };
}

export function solvencyHistoryView({ from, hours }: SolvencyHistory): SolvencyHistoryView {
  return {
    from: instantText(from),
    hours: hours.map((one) => ({ ...one, hour: instantText(one.hour) })),
  };
}

const BACKS: Readonly<Record<Group['asset'], SolvencyGroupView['backs']>> = {
  USDC: ['USD', 'USDC'],
  XLM: ['XLM'],
};

function groupView(group: Group): SolvencyGroupView {
  const { asset, status } = group;
  return {
    asset,
    status,
    backs: BACKS[asset],
    liabilities: texts(group.liabilities),
    assets: texts(group.assets),
    difference: amountText(group.difference),
    atPaymentProvider: amountText(group.atPaymentProvider),
    inFlight: amountText(group.inFlight),
    tolerance: amountText(group.tolerance),
  };
}

function partView({ asset, ...sums }: Part): SolvencyPartView {
  return { asset, backs: BACKS[asset], ...texts(sums) };
}

export function capitalView(capital: Awaited<ReturnType<typeof recordCapital>>): CapitalView {
  const { location, asset, stroops, reason, recordedAt } = capital;
  return {
    location,
    asset,
    amount: amountText(stroops),
    reason,
    recordedAt: instantText(recordedAt),
  };
}

function texts<N extends string>(sums: Readonly<Record<N, bigint>>): Record<N, string> {
  return Object.fromEntries(
    Object.entries<bigint>(sums).map(([name, sum]) => [name, amountText(sum)]),
  ) as Record<N, string>;
}

const PLACES = 7;

/** Seven decimals, as the network counts. */
function amountText(stroops: bigint): string {
  const digits = (stroops < 0n ? -stroops : stroops).toString().padStart(PLACES + 1, '0');
  return `${stroops < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}
