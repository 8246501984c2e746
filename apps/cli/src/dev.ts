//! `npm run dev`: everything on loopback, with a new database unless --keep; one line when ready.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LocalSet, startLocalSet } from './local-set.ts';

const KEPT = fileURLToPath(new URL('../../../.holdfast', import.meta.url));
const STOP_MS_MAX = 10_000;

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4400' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const starting = startLocalSet({
  port: Number(options.port),
  ...(options.keep ? { keepIn: KEPT } : {}),
});

let isStopping = false;
const stop = (code: number) => {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  starting
    .then((set) => set.stop())
    .then(
      () => process.exit(code),
      () => process.exit(1),
    );
};
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));

starting.then(announce, (error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

function announce({ ready }: LocalSet): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify(ready)}\n`);
    return;
  }
  process.stdout.write(`
  Holdfast is running at ${ready.api}
  The outside world is at ${ready.sandbox}

    API key         ${ready.apiKey}
    marketplace     ${ready.marketplaceId}
    master key      ${ready.masterKey}

  Try it:

    curl -s ${ready.api}/api/v1/users \\
      -H 'Authorization: Bearer ${ready.apiKey}' -H 'Content-Type: application/json' \\
      -d '{"externalUserId":"ada"}'

  Ctrl-C ends everything${options.keep ? '; the database is kept' : ' and drops the database'}.
`);
}
