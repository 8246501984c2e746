//! Calls of the API that prepare a cell, or look what became of it.
import { type Answer, type Asked, ask, type Door, dataOf, type Fields } from '../harness/api.ts';
import { within } from '../harness/wait.ts';

const PATIENCE_MS = 30_000;
const TRY_AGAIN_MS = 250;

/** Until it is done: whoever prepares a cell may meet the death of another. */
export async function insist(door: Door, asked: Asked): Promise<Fields> {
  let answer: Answer | undefined;
  const isTold = async () => {
    answer = await ask(door, { method: 'POST', ...asked });
    return answer.status !== 503;
  };
  await within(PATIENCE_MS, isTold, TRY_AGAIN_MS);
  const { status, operationId } = answer as Answer;
  if (status === 504 && operationId !== undefined) return untilDone(door, operationId);
  return dataOf(asked.path, answer as Answer);
}

async function untilDone(door: Door, operationId: string): Promise<Fields> {
  let operation: Fields = {};
  const isOver = async () => {
    operation = await look(door, `/operations/${operationId}`);
    return operation['status'] === 'DONE' || operation['status'] === 'REFUSED';
  };
  await within(PATIENCE_MS, isOver, TRY_AGAIN_MS);
  if (operation['status'] === 'DONE') return operation;
  throw new Error(`${operationId} was not done`);
}

export function look(door: Door, path: string): Promise<Fields> {
  return insist(door, { path, method: 'GET' });
}
