//! Reads acknowledged writes from the log of an API server, and packs them into requests.
import { createInterface } from 'node:readline';
import { WRITES_MAX } from '@holdfast/contract/records/recovery-records';
import type { CheckWritesInput } from '@holdfast/sdk';

export type AcknowledgedWrite = CheckWritesInput['writes'][number];

/** After a restore, two writes may have the same number of a journal entry. */
export const nameOf = ({
  requestId,
  writeId,
}: Pick<AcknowledgedWrite, 'requestId' | 'writeId'>): string => `${requestId}/${writeId}`;

/** The lines of writes have the field `writeId`; any other line is skipped. */
export async function* readWrites(
  log: NodeJS.ReadableStream,
  since: number,
): AsyncGenerator<AcknowledgedWrite> {
  const seen = new Set<string>();
  for await (const line of createInterface({ input: log, crlfDelay: Number.POSITIVE_INFINITY })) {
    const write = writeIn(line);
    if (write === undefined || Date.parse(write.at) < since || seen.has(nameOf(write))) continue;
    seen.add(nameOf(write));
    yield write;
  }
}

/** A collector may have put its own text in front. */
function writeIn(line: string): AcknowledgedWrite | undefined {
  const start = line.indexOf('{');
  if (start < 0 || !line.includes('"writeId"')) return undefined;
  let found: Readonly<Record<string, unknown>>;
  try {
    found = JSON.parse(line.slice(start));
  } catch {
    return undefined;
  }
  const { writeId, requestId, time, method, path, status, actor, resourceId, amount, currency } =
    found;
  return {
    writeId: String(writeId),
    requestId: String(requestId),
    at: String(time),
    method: String(method),
    path: String(path).slice(0, 300),
    status: Number(status),
    actorId: String(actor),
    ...(typeof resourceId === 'string' ? { resourceId } : {}),
    ...(typeof amount === 'string' ? { amount } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
  };
}

/** Less than the usual limit of a body. */
const BYTES_MAX = 50_000;

export async function* batchesOf(
  writes: AsyncIterable<AcknowledgedWrite>,
): AsyncGenerator<readonly AcknowledgedWrite[]> {
  let batch: AcknowledgedWrite[] = [];
  let bytes = 0;
  for await (const write of writes) {
    const size = JSON.stringify(write).length;
    if (batch.length === WRITES_MAX || bytes + size > BYTES_MAX) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(write);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
