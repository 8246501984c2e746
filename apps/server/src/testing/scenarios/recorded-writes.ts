//! What a response acknowledges is recorded: after a restore, those writes are looked for.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { expect } from 'vitest';
import type { ApiResponse, World } from '../world.ts';

/** Signing in changes nothing that a marketplace would repeat. */
const UNRECORDED = new Set(['signIn', 'enroll']);

export async function expectRecorded(
  world: World,
  { id }: Endpoint,
  { headers }: ApiResponse,
): Promise<void> {
  const requestId = String(headers['x-request-id']);
  const [found] = await world.rows<{ wrote: boolean }>(
    `select exists (select from audit where correlation_id = $1)
       or exists (select from operation where correlation_id = $1) as wrote`,
    [requestId],
  );
  const isRecorded = world.app.writes.recent.some((write) => write.requestId === requestId);
  expect(isRecorded).toBe(found?.wrote === true && !UNRECORDED.has(id));
}
