//! What the service itself reports as lost. A drill counts an acknowledged write that is missing as
//! silent, unless it is named here.
import { call, dataOf } from '../../harness/api.ts';
import type { Run } from './environment.ts';
import type { Acknowledged } from './load.ts';

/** Where the service names what it has lost. */
const SOURCES: readonly string[] = ['/reconciliation/exceptions'];

export async function reportedOf(
  { target }: Pick<Run, 'target'>,
  missing: readonly Acknowledged[],
): Promise<readonly Acknowledged[]> {
  const pages = await Promise.all(
    SOURCES.map(async (path) => dataOf<object[]>(path, await call(target, { path }))),
  );
  const text = JSON.stringify(pages);
  return missing.filter(({ id }) => text.includes(id));
}
