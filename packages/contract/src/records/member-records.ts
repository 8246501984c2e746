//! The records that Surface B returns. Money is a number here, and only here; names are snake_case.
import { type Static, Type } from 'typebox';
import { PROJECT_STATUSES } from '#enums';
import { currency, id, instant, nullable, oneOf, record } from '#fields';

const person = { id: id('usr'), email: Type.String(), name: Type.String() };

export const MemberView = record('Member', person);
export type MemberView = Static<typeof MemberView>;

export const RegisteredMemberView = record('RegisteredMember', { ...person, token: Type.String() });
export type RegisteredMemberView = Static<typeof RegisteredMemberView>;

export const SessionView = record('Session', { token: Type.String(), user: MemberView });
export type SessionView = Static<typeof SessionView>;

export const BalanceEntryView = record('BalanceEntry', {
  currency: currency(),
  available: Type.Number(),
  held: Type.Number(),
});
export type BalanceEntryView = Static<typeof BalanceEntryView>;

export const HistoryLineView = record('Transaction', {
  id: id('txn'),
  type: oneOf(['credit', 'debit']),
  amount: Type.Number(),
  currency: currency(),
  description: Type.String(),
  created_at: instant(),
});
export type HistoryLineView = Static<typeof HistoryLineView>;

export const PaginationView = record('Pagination', {
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  pages: Type.Integer(),
});
export type PaginationView = Static<typeof PaginationView>;

export const WalletLinkView = record('WalletLink', {
  wallet_id: id('wal'),
  public_key: Type.String(),
  connected_at: instant(),
});
export type WalletLinkView = Static<typeof WalletLinkView>;

/** Proven: the member who connected it has signed with its key. */
export const ConnectedWalletView = record('ConnectedWallet', {
  wallet_id: id('wal'),
  public_key: Type.String(),
  connected_at: instant(),
  proven_at: nullable(instant()),
});
export type ConnectedWalletView = Static<typeof ConnectedWalletView>;

export const WalletChallengeView = record('WalletChallenge', {
  challenge: Type.String(),
  expires_at: instant(),
});
export type WalletChallengeView = Static<typeof WalletChallengeView>;

export const ProjectView = record('Project', {
  id: id('prj'),
  title: Type.String(),
  description: Type.String(),
  budget: Type.Number(),
  currency: currency(),
  status: oneOf(PROJECT_STATUSES),
  /** Of its newest escrow: also for a caller who lost the response that named it. */
  escrow_id: nullable(id('esc')),
  created_at: instant(),
});
export type ProjectView = Static<typeof ProjectView>;

export const MemberEscrowView = record('ProjectEscrow', {
  escrow_id: id('esc'),
  project_id: id('prj'),
  buyer_id: id('usr'),
  seller_id: id('usr'),
  amount: Type.Number(),
  currency: currency(),
  status: oneOf(['funded', 'released']),
  created_at: instant(),
});
export type MemberEscrowView = Static<typeof MemberEscrowView>;

export const ReleasedEscrowView = record('ReleasedEscrow', {
  escrow_id: id('esc'),
  status: oneOf(['released']),
  /** What the seller receives. */
  released_amount: Type.Number(),
  released_at: instant(),
});
export type ReleasedEscrowView = Static<typeof ReleasedEscrowView>;
