//! The smallest run of each script of package.json, and who runs those that are not run here.

/** A run that ends by itself. */
export interface Run {
  readonly kind: 'run';
  readonly args: readonly string[];
  /** 0 unless said; `refused` is any other. */
  readonly ends?: 'refused';
  /** A pattern in its output by then. */
  readonly prints?: RegExp;
  readonly input?: string;
  /** Gets the settings of a set that runs: a database of its own, a marketplace, secrets. */
  readonly needsSet?: true;
}

/** Runs until it is stopped; then it must exit by itself, without a fault. */
export interface Serve {
  readonly kind: 'serve';
  readonly args: readonly string[];
  /** The line that it prints as soon as it is ready. */
  readonly ready: RegExp;
  readonly needsSet?: true;
}

/** It runs elsewhere: in the check, in CI, in smoke itself, or in a script that does the same. */
export interface RunBy {
  readonly kind: 'played';
  readonly by: 'check' | 'ci' | 'smoke';
}

export interface Entry {
  /** The smallest form that does what the script is for. */
  readonly whole: Run | Serve | RunBy;
  /** Of a second or two, for the slice in the check: what nothing else there starts. */
  readonly quick?: Run;
}

const byCheck: Entry = { whole: { kind: 'played', by: 'check' } };
const NO_OPTION = '--no-such-option';

function run(...args: readonly string[]): Run {
  return { kind: 'run', args };
}

/** It loads all that it is made of, reads its options, and refuses this one by name. */
const refusal: Run = { ...run(NO_OPTION), ends: 'refused', prints: new RegExp(NO_OPTION) };
/** Without settings it must say which, and not hang or guess. */
const unsettled: Run = { ...run(), ends: 'refused', prints: /DATABASE_URL/ };

const known: Run = { ...run('INVALID_STATE'), prints: /^ {2}error 4\d\d/m };

const helped: Run = { ...run('--help'), prints: /^Usage: holdfast/m };

export const ENTRIES: Readonly<Record<string, Entry>> = {
  dev: {
    quick: refusal,
    whole: { kind: 'serve', args: ['--json', '--port', '0'], ready: /"apiKey":/ },
  },
  holdfast: { quick: helped, whole: helped },
  api: {
    quick: unsettled,
    whole: { kind: 'serve', args: [], ready: /"listening":/, needsSet: true },
  },
  worker: {
    quick: unsettled,
    whole: { kind: 'serve', args: [], ready: /"working":true/, needsSet: true },
  },
  migrate: {
    quick: unsettled,
    whole: { ...run(), prints: /"applied":/, needsSet: true },
  },
  sandbox: {
    quick: refusal,
    whole: { kind: 'serve', args: ['--port', '0'], ready: /"listening":/ },
  },
  'rotate:wallet-keys': {
    quick: unsettled,
    whole: { ...run(), prints: /"rotated":/, needsSet: true },
  },
  'verify:audit': {
    quick: unsettled,
    whole: { ...run(), prints: /^PASSED: /m, needsSet: true },
  },
  'audit:books': { quick: unsettled, whole: { ...run(), needsSet: true } },

  build: { whole: run() },
  'build:docs': { whole: run() },
  'build:console': { whole: run() },
  'docs:images': { quick: refusal, whole: run('--to', '{folder}') },
  tarballs: { quick: refusal, whole: { ...run('--to', '{folder}'), prints: /sdk.*\.tgz/ } },
  release: {
    quick: refusal,
    whole: { ...run('--dry-run', '--to', '{folder}'), prints: /@sha256:/ },
  },
  // It would give the tree another version.
  'release:version': { quick: refusal, whole: refusal },
  image: { quick: refusal, whole: { ...run('--to', '{folder}'), prints: /^digest {4}sha256:/m } },
  generate: { whole: run() },
  where: { quick: known, whole: known },
  // It would rewrite the tree: a list with nothing in it changes nothing.
  rename: { quick: refusal, whole: { ...run('/dev/null'), prints: /^0 files changed/m } },
  // By a text of its own: files of the tree are not its to write here.
  format: {
    whole: { ...run('--stdin-file-path=a.ts'), input: 'const  a=1', prints: /^const a = 1;$/m },
  },

  check: { whole: { kind: 'played', by: 'ci' } },
  smoke: { whole: { kind: 'played', by: 'smoke' } },
  types: byCheck,
  lint: byCheck,
  imports: byCheck,
  unused: byCheck,
  test: byCheck,
  conformance: byCheck,

  'test:console': byCheck,
  'test:crash-matrix': byCheck,
  'test:webhooks': byCheck,
  'test:day': { quick: refusal, whole: run('--quick') },
  'test:attacks': byCheck,
  'test:lifecycle': byCheck,
  'test:stops': byCheck,
  'drill:restore': byCheck,
  'drill:failover': { quick: refusal, whole: run('--quick') },
  'test:upgrade': byCheck,
  // It needs pgBackRest, which not every machine has.
  'drill:backup': { quick: refusal, whole: refusal },
  'test:quickstart': byCheck,
  'test:deploy': byCheck,
  'test:compose': { quick: refusal, whole: run() },
  'test:listen': { quick: refusal, whole: run('--events', '20', '--kills', '1') },
  'test:payments': { quick: refusal, whole: run('--topups', '4', '--withdrawals', '4') },
  'test:posting': { quick: refusal, whole: run('--quick') },
  // Without keys it names those that it needs.
  'test:providers': {
    whole: { ...run(), ends: 'refused', prints: /set TRUSTLESS_WORK_API_KEY/ },
  },
  'test:provider-matrix': { quick: refusal, whole: run('--quick') },
  'test:flakes': {
    quick: refusal,
    whole: run('--runs', '1', '--steal', '10', 'tools/lockfile.test.ts'),
  },
  'test:planted': { quick: run('--list'), whole: run('--from', '30') },
  'crash:books': byCheck,
  'chaos:events': byCheck,
  // The check's slice has orders and races only.
  chaos: { whole: run('--quick', '--payments', '4', '--members', '2') },

  // The check's slice leaves out the case without HTTP, few connections and one hot account.
  'bench:books': {
    whole: run('--rounds', '1', '--seconds', '2', '--users', '100', '--connections', '8'),
  },
  'bench:events': { quick: refusal, whole: run('--quick') },
  'bench:orders': { quick: refusal, whole: run('--quick') },
  'bench:console': { quick: refusal, whole: run('--orders', '500', '--rounds', '2') },
  'bench:logins': { quick: refusal, whole: run('--quick') },
  'dashboards:picture': { quick: refusal, whole: run('--run', 'test:alerts -- --quick') },
  'test:alerts': byCheck,
  'bench:telemetry': { quick: refusal, whole: run('--quick') },
  'bench:sandbox': { quick: refusal, whole: run('--quick') },
};
