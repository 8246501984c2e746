//! `node apps/sandbox/src/main.ts --port 0 --data DIR --limits`: the sandbox as its own process.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { factsOf } from './facts.ts';
import { startWorld } from './start-world.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    data: { type: 'string' },
    host: { type: 'string' },
    'public-url': { type: 'string' },
    // The vendors' own rate limits, for the whole run.
    limits: { type: 'boolean', default: false },
  },
});
if (!/^\d{1,5}$/.test(values.port))
  throw new RangeError(`invalid port ${values.port}: use a number from 0 to 65535`);

const { world, url, stop } = await startWorld({
  port: +values.port,
  hasVendorLimits: values.limits,
  ...(values.data !== undefined && { folder: values.data }),
  ...(values.host !== undefined && { host: values.host }),
  ...(values['public-url'] !== undefined && { publicUrl: values['public-url'] }),
});
// Before the ready line: a client may stop the sandbox at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().then(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ listening: url, ...factsOf(world) })}\n`);
