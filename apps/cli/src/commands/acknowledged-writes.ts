//! Reads acknowledged writes from the log of an API server, and packs them into requests.
import { createInterface } from 'node:readline';
import { WRITES_MAX } from '@holdfast/contract/records/recovery-records';
import type { CheckWritesInput } from '@holdfast/sdk';

export type AcknowledgedWrite = CheckWritesInput['writes'][number];

/** The lines of writes have the field `writeId`; any other line is skipped. */
export async function* readWrites(
  log: NodeJS.ReadableStream,
  since: number,
  unreadable: (line: string) => void,
): AsyncGenerator<AcknowledgedWrite> {
  const seen = new Set<string>();
  for await (const line of createInterface({ input: log, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!line.includes('writeId')) continue;
    const fields = fieldsIn(line);
    if (fields === undefined) {
      unreadable(line);
      continue;
    }
    const write = writeOf(fields);
    // A response that was repeated acknowledges the same write.
    const name = `${write.requestId}/${write.idempotencyScope ?? write.writeId}`;
    if (Date.parse(write.at) < since || seen.has(name)) continue;
    seen.add(name);
    yield write;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A collector may have put its own text in front, or the line into a field of its own. */
function fieldsIn(line: string): Fields | undefined {
  for (let start = line.indexOf('{'); start >= 0; start = line.indexOf('{', start + 1)) {
    const found = objectOf(line.slice(start));
    if (found === undefined) continue;
    if ('writeId' in found) return found;
    const inner = Object.values(found).find(
      (value) => typeof value === 'string' && value.includes('writeId'),
    );
    return typeof inner === 'string' ? fieldsIn(inner) : undefined;
  }
  return undefined;
}

function objectOf(text: string): Fields | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeOf(fields: Fields): AcknowledgedWrite {
  const { writeId, requestId, time, method, path, status, actor } = fields;
  const { idempotencyScope, resourceId, amount, currency } = fields;
  return {
    writeId: String(writeId),
    requestId: String(fields['writeRequestId'] ?? requestId),
    at: String(fields['acknowledgedAt'] ?? time),
    method: String(method),
    path: String(path).slice(0, 300),
    status: Number(status),
    actorId: String(actor),
    ...(typeof idempotencyScope === 'string' ? { idempotencyScope } : {}),
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
