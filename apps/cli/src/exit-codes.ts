//! The table of exit codes, which help and documents read.

interface ExitRow {
  readonly code: number;
  readonly description: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const EXITS = {
  ok: { code: 0, description: 'success; for a check: no problems found' },
  failed: { code: 1, description: 'refused or failed; for a check: problems found' },
  usage: { code: 2, description: 'invalid arguments or a missing setting' },
  unreachable: { code: 3, description: 'the server, its sandbox or its database is unreachable' },
  notFound: { code: 4, description: 'not found' },
  unknown: { code: 5, description: 'outcome unknown: check the resource before retrying' },
  denied: { code: 6, description: 'the key is invalid or lacks permission' },
  later: { code: 7, description: 'nothing was done; retry later (busy, rate limited or paused)' },
  interrupted: { code: 130, description: 'interrupted by Ctrl-C' },
} as const satisfies Record<string, ExitRow>;

export type ExitName = keyof typeof EXITS;

export function isExitName(value: unknown): value is ExitName {
  return typeof value === 'string' && Object.hasOwn(EXITS, value);
}

/** For help: one line each. */
export function exitLines(): string[] {
  return Object.values(EXITS).map(
    ({ code, description }) => `  ${String(code).padEnd(5)}${description}`,
  );
}
