//! `npm run verify:audit`: verifies the audit chains of all marketplaces and of the platform, and
//! prints their heads.
//!
//!     npm run verify:audit -- [--database URL] [--anchors FILE] [--json]
//!
//! Ends with 0 when every chain is intact, with 1 when one is broken, with 2 when it could not run.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { instantText, systemClock } from '@holdfast/kernel/clock';
import { readVariables } from '../platform/config/environment.ts';
import { DatabaseClient } from '../platform/database/database-client.ts';
import { runMain } from '../platform/process/run-main.ts';
import { NO_ANCHORS, readAnchors } from '../record/audit/anchors.ts';
import { type Verdict, verifyAudit } from '../record/audit/verify-audit.ts';

const EXIT = { whole: 0, broken: 1, failed: 2 };

async function verify(): Promise<number> {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      anchors: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const url = values.database ?? readVariables(process.env, [])['DATABASE_URL'];
  if (!url) throw new Error('no database URL: pass --database URL or set DATABASE_URL');
  const anchors =
    values.anchors === undefined
      ? NO_ANCHORS
      : readAnchors(readFileSync(values.anchors, 'utf8'), values.anchors);
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'holdfast verify audit',
  });
  await client.connect();
  try {
    const startedAt = performance.now();
    const onVerdict = (verdict: Verdict) => print(values.json ? jsonOf(verdict) : textOf(verdict));
    const { chains, links, broken } = await verifyAudit(client, { anchors, onVerdict });
    const seconds = (performance.now() - startedAt) / 1000;
    const perSecond = Math.round(links / seconds);
    if (!values.json)
      print(
        `${broken === 0 ? 'PASSED' : 'FAILED'}: ${counted(chains, 'chain')} verified, ${broken} broken; ` +
          `${counted(links, 'link')} in ${seconds.toFixed(1)} s (${perSecond} links/s)`,
      );
    return broken === 0 ? EXIT.whole : EXIT.broken;
  } finally {
    await client.end();
  }
}

function jsonOf(verdict: Verdict): string {
  return JSON.stringify({ ...verdict, time: instantText(systemClock.now()) });
}

function textOf({ marketplaceId, position, hash, anchors, fault }: Verdict): string {
  if (fault !== null)
    return `${marketplaceId} BROKEN ${fault.message} (${counted(position, 'link')} verified)`;
  return `${marketplaceId} OK     ${counted(position, 'link')}, head ${hash}, ${counted(anchors, 'anchor')} matched`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

runMain(async () => {
  try {
    process.exitCode = await verify();
  } catch (error) {
    process.stderr.write(`the audit chains could not be verified: ${(error as Error).message}\n`);
    process.exitCode = EXIT.failed;
  }
});
