//! Prints any error in two lines: the problem and the fix; with the id of the request.
import { type HoldfastError, type HoldfastFailure, isHoldfastError } from '@holdfast/sdk';
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
    fix: 'this is a bug in holdfast; please report it with the command and this message',
    details: { stack },
  });
}

function fromService(error: HoldfastFailure): CommandFault {
  const { code, requestId, details } = error;
  return new CommandFault(problemOf(error), {
    exit: exitOf(error),
    code,
    fix: fixOf(error),
    requestId,
    details,
  });
}

function problemOf({ code, message, details }: HoldfastFailure): string {
  const what = sentence(message);
  // Its fields are the fix.
  if (code === 'VALIDATION_ERROR') return what.replace(/: .*$/s, '');
  // Its message already has the state.
  if (code === 'INVALID_STATE') return what;
  const { reason } = details as { readonly reason?: unknown };
  return typeof reason === 'string' && !what.includes(reason) ? `${what}: ${reason}` : what;
}

/** Without the call, which the person has not typed, and without its full stop. */
const sentence = (text: string) =>
  text.replace(/^(GET|POST|PUT|PATCH|DELETE) \S+: /, '').replace(/\.$/, '');

function exitOf(error: HoldfastFailure): ExitName {
  const { code, status, retry } = error;
  // First: the last reply says nothing of an earlier attempt, which may have had its effect.
  if (retry === 'check-first' || code === 'WAIT_TIMED_OUT') return 'unknown';
  if (code === 'CONNECTION_FAILED' || code === 'TIMED_OUT') return 'unreachable';
  if (code === 'VALIDATION_ERROR') return 'usage';
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'notFound';
  if (error.code === 'INTERNAL_ERROR') return internalExit(error);
  return retry === 'later' ? 'later' : 'failed';
}

/** Its details show whether anything was done: its retry rule does not. */
function internalExit({ details }: HoldfastError<'INTERNAL_ERROR'>): ExitName {
  if (details.operationId !== undefined) return 'later';
  return details.reason === undefined ? 'unknown' : 'failed';
}

/** By code where more can be said than the contract's rule for repeating. */
function fixOf(error: HoldfastFailure): string | undefined {
  if (exitOf(error) === 'unknown') return openOutcomeFix(error);
  switch (error.code) {
    case 'VALIDATION_ERROR':
      return error.details.validationErrors.join('; ');
    case 'UNAUTHORIZED':
      return 'check --api-key or HOLDFAST_API_KEY; run `holdfast doctor` for details';
    case 'INSUFFICIENT_SCOPE':
      return error.details.required === 'master'
        ? 'set HOLDFAST_MASTER_KEY'
        : `use a key with the ${error.details.required} scope`;
    case 'INVALID_STATE':
      return stateFix(error.details);
    case 'INSUFFICIENT_FUNDS':
      return 'use a smaller amount, or add funds with `holdfast topups create`';
    case 'CONNECTION_FAILED':
      return 'start a server with `holdfast dev`, or diagnose with `holdfast doctor`';
    case 'TIMED_OUT':
      return 'the server is slow or unreachable; diagnose with `holdfast doctor`';
    case 'UNREADABLE_RESPONSE':
      return 'check --url (HOLDFAST_URL): the response is from a proxy or another program';
    case 'INTERNAL_ERROR':
      return error.details.operationId === undefined
        ? `nothing was done; before retrying, resolve this: ${error.details.reason}`
        : 'the operation was rolled back; retry later';
    case 'STATEMENT_UNBALANCED':
      return 'report this error with its request id to the deployment owner';
    case 'ENGINE_UNAVAILABLE':
      return 'nothing was done; diagnose with `holdfast doctor`';
    default:
      return byRule(error);
  }
}

/** For the exit `unknown`: the resource is checked before any new attempt. */
function openOutcomeFix(error: HoldfastFailure): string {
  switch (error.code) {
    case 'WAIT_TIMED_OUT':
      return 'the status may still change; check the resource again later: holdfast explain <id>';
    case 'PROVIDER_TIMEOUT': {
      const { operationId } = error.details;
      const id = operationId ?? '<id of the order, top-up or withdrawal>';
      return `the operation may still complete; check before retrying: holdfast explain ${id}`;
    }
    case 'INTERNAL_ERROR':
      return 'the server failed; if the command changes data, check the resource before retrying: holdfast explain <id>';
    case 'UNREADABLE_RESPONSE':
      return 'the response is from a proxy or another program: check --url (HOLDFAST_URL), and the resource before retrying';
    default:
      return 'the request may have been processed; check the resource before retrying: holdfast explain <id>';
  }
}

/** Records that `explain` finds by their id. */
const EXPLAINED = /^(ord|dsp|topup|wd|usr|op|whe|exc|key)_/;

function stateFix({
  id = '',
  unfinishedMilestones = [],
}: {
  readonly id?: string;
  readonly unfinishedMilestones?: readonly string[];
}): string | undefined {
  if (unfinishedMilestones.length > 0)
    return `complete these milestones first: ${unfinishedMilestones.join(', ')}`;
  if (!EXPLAINED.test(id)) return undefined;
  const what = id.startsWith('ord_') ? 'the allowed actions' : 'what happened';
  return `show ${what} with: holdfast explain ${id}`;
}

function byRule({ retry, retryAfterMs }: HoldfastFailure): string | undefined {
  if (retry !== 'later') return undefined;
  const after = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  return `nothing was done; retry ${after}`;
}

export function faultLines(fault: CommandFault, style: Style): string[] {
  const { message, code, fix, requestId } = fault;
  const name = code === undefined || code === 'USAGE' ? '' : style.dim(` (${code})`);
  return [
    `${style.red('✗')} ${message}${name}`,
    ...(fix === undefined ? [] : [`  → ${fix}`]),
    ...(requestId === undefined ? [] : [style.dim(`  request ${requestId}`)]),
  ];
}

export function faultJson(fault: CommandFault): object {
  const { message, code, fix, requestId, details, exit } = fault;
  return { error: { code, message, fix, requestId, details, exit } };
}
