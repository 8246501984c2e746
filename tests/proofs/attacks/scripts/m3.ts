//! M3: a deployment starts although its settings leave it open.

import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { entryOf, NODE_FLAG } from '../../../../apps/cli/src/entries.ts';
import { type Attack, unrecorded } from '../attack.ts';

type Change = Readonly<Record<string, string>>;
type Role = 'api' | 'worker';

const START_MS_MAX = 120_000;
/** Processes at once. */
const LANES = 2;
/** Of all configurations together, in one process. */
const FAULTS_MIN = 12;

const keyOf = (bytes: Buffer) => `v1:${bytes.toString('base64')}`;
const words = 'Correct horse battery staple 123';

/** One setting each that leaves a deployment open, and the process that it is given to. */
const CONFIGURATIONS: Readonly<Record<string, readonly [Role, Change]>> = {
  'http to Horizon': ['worker', { HOLDFAST_HORIZON_URL: 'http://127.0.0.1:8000' }],
  'http to RPC': ['worker', { HOLDFAST_RPC_URL: 'http://rpc.example' }],
  'http to the escrow provider': ['api', { HOLDFAST_ESCROW_PROVIDER_URL: 'http://a.example' }],
  'http to the payment provider': ['api', { HOLDFAST_PAYMENT_PROVIDER_URL: 'http://a.example' }],
  'no certificates': ['worker', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  'a remote database in the open': ['api', { DATABASE_URL: 'postgres://a@db.example/b' }],
  'a remote database that anyone can play': [
    'worker',
    { DATABASE_URL: 'postgres://a@db.example/b?sslmode=require' },
  ],
  'a remote Redis in the open': ['api', { REDIS_URL: 'redis://cache.example' }],
  'a short webhook secret': ['api', { PAYMENT_WEBHOOK_SECRET: 'whsec_c2hvcnQtc2VjcmV0' }],
  'a key of one byte': ['worker', { HOLDFAST_WALLET_KEYS: keyOf(Buffer.alloc(32, 7)) }],
  'a key of letters': ['worker', { HOLDFAST_WALLET_KEYS: keyOf(Buffer.from(words)) }],
  'a published key': [
    'worker',
    { HOLDFAST_WALLET_KEYS: keyOf(Buffer.from(Array.from({ length: 32 }, (_, at) => at))) },
  ],
  'no approval limit': ['api', { HOLDFAST_APPROVAL_LIMIT: 'none' }],
  'no adjustment limit': ['api', { HOLDFAST_ADJUSTMENT_LIMIT: 'none' }],
  'no treasury share': ['worker', { HOLDFAST_TREASURY_SHARE: 'none' }],
  'no payout limit of a user': ['api', { HOLDFAST_USER_PAYOUT_LIMIT: 'none' }],
  'no payout limit of a marketplace': ['api', { HOLDFAST_MARKETPLACE_PAYOUT_LIMIT: '' }],
  'destinations that do not wait': ['api', { HOLDFAST_DESTINATION_COOLING_HOURS: '0' }],
  'a worker that any caller reaches': ['worker', { HOLDFAST_HOST: '0.0.0.0' }],
  'wallet keys in the api': [
    'api',
    { HOLDFAST_WALLET_KEYS: keyOf(hash('sha256', 'wallet', 'buffer')) },
  ],
  'the token secret in a worker': ['worker', { HOLDFAST_TOKEN_SECRET: hash('sha256', 'token') }],
};

export const attack: Attack = {
  id: 'M3',
  title: 'run a deployment with open settings',
  evidence: unrecorded('the process does not start; it prints the faults'),
  run: async ({ settings }) => {
    const waiting = Object.entries(CONFIGURATIONS).values();
    const gained: string[] = [];
    const tryNext = async () => {
      for (const [name, [role, change]] of waiting) {
        if (gained.length > 0) return;
        const { code, error } = await start(role, { ...settings[role], ...change });
        const isRefused = code === 1 && error.startsWith('the configuration has ');
        if (!isRefused) gained.push(`${name} (${error.slice(0, 100)})`);
        const secrets = Object.values(change).filter((value) => /^v1:|^whsec_/.test(value));
        if (secrets.some((secret) => error.includes(secret))) gained.push(`${name}, shown`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, tryNext));
    if (gained.length > 0) return gained.join('; ');
    const all = Object.assign({}, ...Object.values(CONFIGURATIONS).map(([, change]) => change));
    const { error } = await start('api', { ...settings.api, ...all });
    const faults = error.split('\n').filter((line) => line.startsWith('  - ')).length;
    if (faults < FAULTS_MIN) gained.push(`only ${faults} faults are listed together`);
    return gained[0];
  },
  withoutFix: {
    file: 'apps/server/src/platform/config/config.ts',
    find: "if (environment === 'production') faults.push(...checkConfig(readable, process));",
    replace: 'void checkConfig;',
  },
};

interface Ended {
  readonly code: number | null;
  readonly error: string;
}

/** A process that starts after all prints a line, and is ended. */
function start(role: Role, env: Change): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const script = fileURLToPath(entryOf(role));
    const child = spawn(process.execPath, [NODE_FLAG, script], {
      env: { ...env, HOLDFAST_PORT: '0', PATH: process.env['PATH'] },
    });
    let error = '';
    child.stderr.on('data', (text) => (error += String(text)));
    child.stdout.once('data', () => child.kill('SIGKILL'));
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the ${role} neither started nor was refused: ${error.slice(0, 200)}`));
    }, START_MS_MAX);
    child.once('exit', (code) => {
      clearTimeout(late);
      resolve({ code, error });
    });
  });
}
