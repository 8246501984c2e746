//! Whatever went wrong, in two lines: what, and what to do; with the id of the request.
import { type HoldfastFailure, isHoldfastError } from '@holdfast/sdk';
import { CommandFault } from '../command-fault.ts';
import type { ExitName } from '../exit-codes.ts';
import type { Style } from './style.ts';

export function faultOf(error: unknown): CommandFault {
  if (error instanceof CommandFault) return error;
  if (isHoldfastError(error)) return fromService(error);
  const { message, stack } = error as Error;
  return new CommandFault(message, {
    exit: 'failed',
    code: 'BUG',
    cure: 'this should not happen; please report it',
    details: { stack },
  });
}

function fromService(error: HoldfastFailure): CommandFault {
  const { code, message, requestId, details } = error;
  return new CommandFault(sentence(message), {
    exit: exitOf(error),
    code,
    cure: cureOf(error),
    requestId,
    details,
  });
}

/** Without the call, which the person has not typed, and without its full stop. */
const sentence = (text: string) =>
  text.replace(/^(GET|POST|PUT|PATCH|DELETE) \S+: /, '').replace(/\.$/, '');

const ID_PATTERN = /must match pattern "\^([a-z]+)_\S*"/g;

function exitOf({ code, status, retry, isOutcomeKnown }: HoldfastFailure): ExitName {
  if (code === 'CONNECTION_FAILED' || code === 'TIMED_OUT')
    return isOutcomeKnown ? 'unreachable' : 'unknown';
  if (code === 'VALIDATION_ERROR') return 'usage';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'notFound';
  if (retry === 'look-first') return 'unknown';
  return retry === 'later' ? 'later' : 'failed';
}

/** By code where more can be said than the contract's rule for repeating. */
function cureOf(error: HoldfastFailure): string | undefined {
  switch (error.code) {
    case 'VALIDATION_ERROR':
      return error.details.validationErrors.join('; ').replace(ID_PATTERN, 'must be an id: $1_…');
    case 'UNAUTHORIZED':
      return 'check --api-key or HOLDFAST_API_KEY; `holdfast doctor` tells more';
    case 'INSUFFICIENT_SCOPE':
      return `use a key with the scope ${error.details.required}`;
    case 'INVALID_STATE':
      return `${error.details.resource} is ${error.details.state}${reasonIn(error.details)}`;
    case 'PROVIDER_TIMEOUT':
      return `it goes on by itself: holdfast explain ${error.details.operationId ?? 'ID'}`;
    case 'INSUFFICIENT_FUNDS':
      return `available is ${error.details.available} ${error.details.currency}`;
    case 'CONNECTION_FAILED':
    case 'TIMED_OUT':
      return 'is it running? `holdfast dev` starts one, `holdfast doctor` says what is wrong';
    case 'ENGINE_UNAVAILABLE':
      return 'nothing was done; `holdfast doctor` says what is wrong with Restate';
    case 'WAIT_TIMED_OUT':
      return 'it may still come: look again later';
    default:
      return byRule(error);
  }
}

function reasonIn({
  reason,
  unfinishedMilestones,
}: {
  reason?: string;
  unfinishedMilestones?: readonly string[];
}) {
  if (unfinishedMilestones !== undefined && unfinishedMilestones.length > 0)
    return `; not completed: ${unfinishedMilestones.join(', ')}`;
  return reason === undefined ? '' : `: ${reason}`;
}

function byRule({ retry, details, retryAfterMs }: HoldfastFailure): string | undefined {
  const { reason } = details as { readonly reason?: unknown };
  if (typeof reason === 'string') return reason;
  if (retry === 'look-first') return 'look before you repeat it: the outcome is not known';
  if (retry !== 'later') return undefined;
  const after = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  return `nothing was done; repeat it ${after}`;
}

export function faultLines(fault: CommandFault, style: Style): string[] {
  const { message, code, cure, requestId } = fault;
  const name = code === undefined || code === 'USAGE' ? '' : style.dim(` (${code})`);
  return [
    `${style.red('✗')} ${message}${name}`,
    ...(cure === undefined ? [] : [`  → ${cure}`]),
    ...(requestId === undefined ? [] : [style.dim(`  request ${requestId}`)]),
  ];
}

export function faultJson(fault: CommandFault): object {
  const { message, code, cure, requestId, details, exit } = fault;
  return { error: { code, message, cure, requestId, details, exit } };
}
