//! Checks that this machine, the server, the database and the Stellar network agree on the time.
//!
//! Signatures tolerate five minutes, time bounds of transactions one; half of that is a fault here.
import { spanText } from '../terminal/words.ts';
import { type Check, type Finding, faulty, fine, skipped } from './check.ts';
import type { Surroundings } from './surroundings.ts';

export interface ClockReading {
  readonly of: string;
  /** How far it is ahead of this machine, at least and at most. */
  readonly least: number;
  readonly most: number;
}

const SKEW_MS_MAX = 30_000;
const RESPONSE_TIMEOUT_MS = 3000;
/** A network closes a ledger every five seconds; a node that lags is no clock. */
const LEDGER_MS_MAX = 60_000;

export const checkClock: Check = {
  name: 'clock',
  needsServer: false,
  async run(surroundings) {
    const readings = (
      await Promise.all([ofServer(surroundings), ofDatabase(surroundings), ofNetwork(surroundings)])
    ).flatMap((each) => (each === undefined ? [] : [each]));
    return compareClocks(readings);
  },
};

export function compareClocks(readings: readonly ClockReading[]): Finding {
  if (readings.length === 0) return skipped('no other clock to compare with');
  const away = readings.filter(({ least, most }) => least > SKEW_MS_MAX || most < -SKEW_MS_MAX);
  if (away.length === 0) {
    const names = ['this machine', ...readings.map((each) => each.of)];
    const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    return fine(`the clocks of ${all} agree within ${SKEW_MS_MAX / 1000} s`);
  }
  // When all others differ from here in the same way, the clock that is wrong is this one.
  const isHere = away.length === readings.length && readings.length > 1;
  const differences = away.map(({ of, least, most }) =>
    least > 0
      ? `${of} is ${spanText(least)} ahead of this machine`
      : `${of} is ${spanText(-most)} behind this machine`,
  );
  return faulty(
    'clock-skew',
    differences.join('; '),
    `correct the clock of ${isHere ? 'this machine' : away.map(({ of }) => of).join(' and ')}, for example with NTP`,
  );
}

/** Reads a clock between two readings of our own; `step` is its resolution. */
async function compare(
  of: string,
  { clock, offsetMs }: Surroundings,
  { step, isWorld = false }: { readonly step: number; readonly isWorld?: boolean },
  read: () => Promise<number>,
): Promise<ClockReading | undefined> {
  const shift = isWorld ? offsetMs : 0;
  const before = clock.now() + shift;
  try {
    const there = await read();
    const after = clock.now() + shift;
    return { of, least: there - after, most: there + step - before };
  } catch {
    return undefined;
  }
}

function ofServer(surroundings: Surroundings) {
  return compare('the server', surroundings, { step: 1000, isWorld: true }, async () => {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(`${surroundings.url}/api/v1/health`, { signal });
    const { meta } = (await response.json()) as { meta?: { timestamp?: string } };
    return parsed(meta?.timestamp ?? null);
  });
}

function ofDatabase(surroundings: Surroundings) {
  return compare('the database', surroundings, { step: 1 }, async () => {
    const rows = await surroundings.database?.query<{ now: Date }>(
      'select clock_timestamp() as now',
    );
    return parsed(rows?.[0]?.now.toISOString() ?? null);
  });
}

/** The last ledger closed a while ago; in the pretend world, when something last happened. */
function ofNetwork(surroundings: Surroundings) {
  const { settings, sandbox } = surroundings;
  const { HOLDFAST_HORIZON_URL: horizon } = settings;
  const step = sandbox === undefined ? LEDGER_MS_MAX : Number.MAX_SAFE_INTEGER;
  return compare('the Stellar network', surroundings, { step, isWorld: true }, async () => {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(`${horizon}/ledgers?order=desc&limit=1`, { signal });
    const page = (await response.json()) as {
      _embedded?: { records?: readonly { closed_at?: string }[] };
    };
    return parsed(page._embedded?.records?.[0]?.closed_at ?? null);
  });
}

function parsed(text: string | null): number {
  const instant = Date.parse(text ?? '');
  if (Number.isNaN(instant)) throw new Error('no time');
  return instant;
}
