//! The background jobs that move money of users without a request: the poll that finds a reversed
//! pay-in, the mirror of the books on the network, the feed of deposits.
import {
  deposit,
  inOwnMarketplace,
  isCredited,
  isMirrored,
  isPolled,
  prepareDeposit,
  prepareMirrorBack,
  prepareMirrorOut,
  prepareSpentTopup,
  readBalances,
  readDeposits,
  readReversal,
  reverseTopup,
  spend,
} from './job-fixture.ts';
import type { Fixture, JobRow } from './saga-row.ts';
import { letMirrorGoOn } from './user-fixture.ts';

const firstUser = ({ userIds: [userId = ''] }: Fixture) => userId;

const JOB = { milestones: [0], isPayment: true, hasAddresses: true } as const;
/** Of the network's payments, which the journal does not list: the auditor counts them. */
const NO_EFFECTS = () => ({});

export const JOBS: readonly JobRow[] = [
  {
    ...JOB,
    name: 'reverse top-up',
    prepare: prepareSpentTopup,
    job: {
      ownerOf: ({ subjectId }) => subjectId,
      happen: reverseTopup,
      isOver: async (environment, fixture) =>
        !(await isPolled(environment, fixture)) && (await isMirrored(environment, fixture)),
    },
    read: readReversal,
    done: {
      status: 'TOPUP_SUCCEEDED',
      balance: '0.00 0.00',
      user: 'SUSPENDED',
      reversed: '5000',
      owed: '100',
    },
    effects: () => ({ 'payin.create': 1, 'payin.confirm': 1, 'payin.reverse': 1 }),
    providerCalls: { 'refresh-topup': 'payin.find' },
  },
  {
    // Refused, the batch is halved.
    ...JOB,
    name: 'mirror out',
    prepare: inOwnMarketplace(prepareMirrorOut),
    job: {
      ownerOf: firstUser,
      happen: (environment, { userIds }) => letMirrorGoOn(environment, userIds),
      isOver: isMirrored,
    },
    read: readBalances,
    done: { balances: '50.00 0.00, 50.00 0.00' },
    effects: NO_EFFECTS,
  },
  {
    // Refused, the transfer is alone: it is escalated, and tried again.
    ...JOB,
    name: 'mirror back',
    prepare: inOwnMarketplace(prepareMirrorBack),
    job: { ownerOf: firstUser, happen: spend, isOver: isMirrored },
    read: readBalances,
    done: { balances: '30.00 0.00' },
    effects: NO_EFFECTS,
  },
  {
    ...JOB,
    name: 'credit deposit',
    prepare: prepareDeposit,
    job: { ownerOf: firstUser, happen: deposit, isOver: isCredited },
    read: readDeposits,
    done: { deposits: '1', balance: '50.00 0.00' },
    effects: NO_EFFECTS,
    networkReads: ['deposits'],
  },
];
