// A compromised or faulty provider. Everything around the call is right, and the authorisation fits
// the call; only the call itself differs from the order.
import { Keypair, xdr } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { type StepName, useHonestSteps } from '../../testing/honest-steps.ts';
import {
  extend,
  recall,
  replaceArg,
  scAddress,
  scAmount,
  scEntry,
  scText,
  shorten,
} from '../../testing/tamper.ts';
import { encodeStrKey } from '../network/strkey.ts';
import { checkTransaction } from '../signing/transaction-policy.ts';

const { parties, steps, network } = useHonestSteps();

const check = (name: StepName, text = steps[name].xdr) =>
  checkTransaction(text, { ...parties.settings, step: steps[name].step, now: network.now });

const outsider = Keypair.random().publicKey();
const foreign = encodeStrKey('contract', Buffer.alloc(32, 9));
const toOutsider = () => scAddress(outsider);
const set = (value: xdr.ScVal) => () => value;
const yes = set(xdr.ScVal.scvBool(true));
const symbol = (name: string) => xdr.ScVal.scvSymbol(name);

type Path = readonly (string | number)[];
type Change = (value: xdr.ScVal) => xdr.ScVal;

/** Where the escrow is in the arguments of a deployment. */
const ESCROW = [4, 0];
const NAMES: readonly StepName[] = [
  'deploy',
  'deploy multi',
  'fund',
  'fund multi',
  'complete',
  'approve',
  'release',
  'release multi',
  'dispute',
  'dispute multi',
  'resolve',
  'resolve multi',
];

describe('the honest transaction of each step', () => {
  for (const name of NAMES) {
    it(`passes: ${name}`, () => {
      expect(check(name)).toMatchObject({ kind: 'done' });
    });
  }
});

describe('the transaction of another step', () => {
  it('never passes, for any two steps', () => {
    for (const name of NAMES) {
      for (const other of NAMES) {
        if (name === other) continue;
        expect(check(name, steps[other].xdr), `${other} for ${name}`).toMatchObject({
          kind: 'refused',
        });
      }
    }
  });
});

describe('an argument that differs from the order', () => {
  // biome-ignore format: a table is the one thing exempt from the line limit.
  const tampered: readonly (readonly [what: string, step: StepName, path: Path, change: Change])[] = [
    ['signer', 'deploy', [0], toOutsider],
    ['code of the contract', 'deploy', [1], set(xdr.ScVal.scvBytes(Buffer.alloc(32, 1)))],
    ['salt that is none', 'deploy', [2], set(xdr.ScVal.scvBytes(Buffer.alloc(31)))],
    ['first call', 'deploy', [3], set(symbol('drain_escrow'))],
    ['constructor argument', 'deploy', [5], (value) => extend(value, scAddress(outsider))],
    ['second escrow', 'deploy', [4], (value) => extend(value, scText('more'))],
    ...['approver', 'service_provider', 'platform_address', 'release_signer', 'dispute_resolver', 'receiver'].map(
      (role) => [`role ${role}`, 'deploy', [...ESCROW, 'roles', role], toOutsider] as const),
    ...['approver', 'service_provider', 'platform', 'release_signer', 'dispute_resolver'].map(
      (role) => [`role ${role} of many milestones`, 'deploy multi', [...ESCROW, 'roles', role], toOutsider] as const),
    ['role that is added', 'deploy', [...ESCROW, 'roles'], (value) => extend(value, scEntry(symbol('admin'), scAddress(outsider)))],
    ['role that is missing', 'deploy', [...ESCROW, 'roles'], shorten],
    ['amount', 'deploy', [...ESCROW, 'amount'], set(scAmount(100_0000001n))],
    ['platform fee', 'deploy', [...ESCROW, 'platform_fee'], set(xdr.ScVal.scvU32(5_000))],
    ['token', 'deploy', [...ESCROW, 'trustline', 'address'], set(scAddress(foreign))],
    ['order', 'deploy', [...ESCROW, 'engagement_id'], set(scText('ord_other'))],
    ['title', 'deploy', [...ESCROW, 'title'], set(scText('Another table'))],
    ['description', 'deploy', [...ESCROW, 'description'], set(scText(''))],
    ['memo for the receiver', 'deploy', [...ESCROW, 'receiver_memo'], set(scAmount(7n))],
    ['flag released', 'deploy', [...ESCROW, 'flags', 'released'], yes],
    ['milestone approved', 'deploy', [...ESCROW, 'milestones', 0, 'approved'], yes],
    ['milestone that is added', 'deploy multi', [...ESCROW, 'milestones'], (value) => extend(value, scText('one more'))],
    ['milestone that is missing', 'deploy multi', [...ESCROW, 'milestones'], shorten],
    ['amount of a milestone', 'deploy multi', [...ESCROW, 'milestones', 1, 'amount'], set(scAmount(1n))],
    ['receiver of a milestone', 'deploy multi', [...ESCROW, 'milestones', 1, 'receiver'], toOutsider],
    ['flag of a milestone', 'deploy multi', [...ESCROW, 'milestones', 0, 'flags', 'approved'], yes],
    ['field that is added', 'deploy', ESCROW, (value) => extend(value, scEntry(symbol('admin'), scAddress(outsider)))],

    ['who pays', 'fund', [0], toOutsider],
    ['receiver of what is funded', 'fund', [1, 'roles', 'receiver'], toOutsider],
    ['fee of what is funded', 'fund', [1, 'platform_fee'], set(xdr.ScVal.scvU32(9_900))],
    ['amount funded', 'fund', [2], set(scAmount(1_000_000_001n))],
    ['amount as another type', 'fund', [2], set(scText('1000000000'))],
    ['amount that is negative', 'fund', [2], set(scAmount(-1_000_000_000n))],

    ['milestone completed', 'complete', [0], set(scAmount(0n))],
    ['status', 'complete', [1], set(scText('paid'))],
    ['evidence', 'complete', [2], set(scText('a link'))],
    ['who completes', 'complete', [3], toOutsider],
    ['milestone approved by index', 'approve', [0], set(scAmount(1n))],
    ['who approves', 'approve', [1], toOutsider],
    ['who releases', 'release', [0], toOutsider],
    ['where the vendor fee goes', 'release', [1], toOutsider],
    ['milestone released', 'release multi', [2], set(xdr.ScVal.scvU32(1))],
    ['who disputes', 'dispute', [0], toOutsider],
    ['milestone disputed', 'dispute multi', [0], set(scAmount(1n))],
    ['who resolves', 'resolve', [0], toOutsider],
    ['where the fee of a resolution goes', 'resolve', [1], toOutsider],
    ['milestone resolved', 'resolve multi', [1], set(xdr.ScVal.scvU32(0))],
    ['share that is added', 'resolve', [2], (value) => extend(value, scEntry(scAddress(outsider), scAmount(1n)))],
    ['share that is missing', 'resolve', [2], shorten],
  ];
  for (const [what, name, path, change] of tampered) {
    it(`is refused: ${what} (${name})`, () => {
      const text = replaceArg(steps[name].xdr, path, change);
      expect(text).not.toBe(steps[name].xdr);
      expect(check(name, text)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
    });
  }

  it('is refused: amount of a share', () => {
    const { address } = parties.seller;
    const text = replaceArg(steps.resolve.xdr, [2, address], set(scAmount(601_000_000n)));
    expect(check('resolve', text)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
  });

  it('is refused: shares that are the right ones, for the wrong people', () => {
    const shares = [parties.seller, parties.buyer].map(({ address }, at) =>
      scEntry(scAddress(address), scAmount(at === 0 ? 400_000_000n : 600_000_000n)),
    );
    const text = replaceArg(steps.resolve.xdr, [2], set(xdr.ScVal.scvMap(shares)));
    expect(check('resolve', text)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
  });

  it('is refused: one person named twice', () => {
    const { address } = parties.seller;
    const twice = [scEntry(scAddress(address), scAmount(600_000_000n))];
    const text = replaceArg(steps.resolve.xdr, [2], set(xdr.ScVal.scvMap([...twice, ...twice])));
    expect(check('resolve', text)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
  });
});

describe('a call other than the expected one', () => {
  for (const name of NAMES) {
    it(`is refused: ${name} of another contract`, () => {
      const text = recall(steps[name].xdr, () => ({ contractId: foreign }));
      expect(check(name, text)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
    });

    it(`is refused: another function than ${name}`, () => {
      const text = recall(steps[name].xdr, () => ({ functionName: 'update_escrow' }));
      expect(check(name, text)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
    });

    it(`is refused: ${name} with one argument more or less`, () => {
      const more = recall(steps[name].xdr, ({ args }) => ({ args: [...args, scText('x')] }));
      const less = recall(steps[name].xdr, ({ args }) => ({ args: args.slice(1) }));
      expect(check(name, more)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
      expect(check(name, less)).toMatchObject({ kind: 'refused', code: 'wrong-call' });
    });
  }
});
