//! API calls that prepare a cell or read its result.
import {
  type ApiRequest,
  type ApiResponse,
  type ApiTarget,
  call,
  dataOf,
  type Fields,
} from '../../harness/api.ts';
import { within } from '../../harness/wait.ts';

const PATIENCE_MS = 30_000;
const TRY_AGAIN_MS = 250;

/** Repeats until done: the preparation of a cell may meet the crash of another. */
export async function callWithRetry(target: ApiTarget, request: ApiRequest): Promise<Fields> {
  let response: ApiResponse | undefined;
  const hasResponse = async () => {
    response = await call(target, { method: 'POST', ...request });
    return response.status !== 503;
  };
  await within(PATIENCE_MS, hasResponse, TRY_AGAIN_MS);
  const { status, operationId } = response as ApiResponse;
  if (status === 504 && operationId !== undefined) return untilDone(target, operationId);
  return dataOf(request.path, response as ApiResponse);
}

async function untilDone(target: ApiTarget, operationId: string): Promise<Fields> {
  let operation: Fields = {};
  const isOver = async () => {
    operation = await get(target, `/operations/${operationId}`);
    return operation['status'] === 'DONE' || operation['status'] === 'REFUSED';
  };
  await within(PATIENCE_MS, isOver, TRY_AGAIN_MS);
  if (operation['status'] === 'DONE') return operation;
  throw new Error(`${operationId} was not done`);
}

export function get(target: ApiTarget, path: string): Promise<Fields> {
  return callWithRetry(target, { path, method: 'GET' });
}
