//! Surface B, at the root: members, their balances, projects, and escrows over orders.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ownEndpoint } from '#endpoint';
import { closed, currency, email, instant, optionalText, text } from '#fields';
import { LENGTHS } from '#limits';
import {
  BalanceEntryView,
  ConnectedWalletView,
  HistoryLineView,
  MemberEscrowView,
  PaginationView,
  ProjectView,
  RegisteredMemberView,
  ReleasedEscrowView,
  SessionView,
  WalletChallengeView,
  WalletLinkView,
} from '#records/member-records';
import { escrowEndpoints } from '#surface-a/escrow';
import { orderEndpoints } from '#surface-a/orders';

/** Whole numbers in a query stay text; the server decodes them and caps the limit at 100. */
const count = () => Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,8}$', examples: ['1'] }));
const paging = { page: count(), limit: count() };

const { createOrder, reserveOrder, cancelOrder } = orderEndpoints;
const { createEscrow, fundEscrow } = escrowEndpoints;
const emittedBy = (...parts: readonly Endpoint[]) => [
  ...new Set(parts.flatMap(({ emits }) => emits)),
];

/** Production requires more: `HOLDFAST_PASSWORD_RULES`. */
const newPassword = () =>
  Type.String({
    minLength: 8,
    maxLength: LENGTHS.password,
    examples: ['correct horse battery'],
  });

const positive = () => Type.Number({ exclusiveMinimum: 0 });

export const surfaceB = {
  register: endpoint('register', 'POST', '/auth/register', {
    surface: 'b',
    scope: 'public',
    summary: 'Register; a token in the request is ignored',
    body: closed({
      email: email(),
      password: newPassword(),
      name: text(LENGTHS.name),
    }),
    success: { status: 200, data: RegisteredMemberView },
    errors: ['EMAIL_TAKEN'],
    emits: ['user.created'],
  }),
  logIn: endpoint('logIn', 'POST', '/auth/login', {
    surface: 'b',
    scope: 'public',
    summary: 'Log in; a token in the request is ignored',
    body: closed({
      email: Type.String({ maxLength: LENGTHS.email }),
      password: Type.String({ maxLength: LENGTHS.password }),
    }),
    success: { status: 200, data: SessionView },
    errors: ['INVALID_CREDENTIALS'],
  }),
  logOut: ownEndpoint('logOut', 'POST', '/auth/logout', {
    surface: 'b',
    scope: 'member',
    summary: 'Revoke all tokens of the caller',
    bodyRead: 'none',
    success: { status: 200, data: closed({ logged_out_at: instant() }) },
  }),
  changeMemberPassword: ownEndpoint('changeMemberPassword', 'POST', '/auth/password', {
    surface: 'b',
    scope: 'member',
    summary: 'Change the password of the caller; all tokens end',
    body: closed({
      password: Type.String({ maxLength: LENGTHS.password }),
      new_password: newPassword(),
    }),
    success: { status: 200, data: closed({ changed_at: instant() }) },
    errors: ['INVALID_CREDENTIALS'],
  }),
  resetMemberPassword: ownEndpoint('resetMemberPassword', 'POST', '/auth/password/reset', {
    surface: 'b',
    scope: 'public',
    summary: 'Set a new password with a token of the marketplace, which works once; all tokens end',
    body: closed({ token: text(LENGTHS.reference), new_password: newPassword() }),
    success: { status: 200, data: closed({ changed_at: instant() }) },
    errors: ['RESET_TOKEN_INVALID'],
  }),
  listBalances: endpoint('listBalances', 'GET', '/balances', {
    surface: 'b',
    scope: 'member',
    summary: 'List the balances of the caller',
    success: { status: 200, data: closed({ balances: Type.Array(BalanceEntryView) }) },
  }),
  listTransactions: endpoint('listTransactions', 'GET', '/balances/transactions', {
    surface: 'b',
    scope: 'member',
    summary: 'List the transactions of the caller, newest first',
    query: closed({ ...paging, currency: Type.Optional(currency()) }),
    success: {
      status: 200,
      data: closed({ transactions: Type.Array(HistoryLineView), pagination: PaginationView }),
    },
  }),
  connectWallet: endpoint('connectWallet', 'POST', '/wallets/connect', {
    surface: 'b',
    scope: 'member',
    summary: 'Connect a wallet by its public key; a signed challenge proves ownership',
    body: closed({
      public_key: Type.String({ maxLength: LENGTHS.reference }),
      challenge: Type.Optional(text(LENGTHS.url)),
      signature: Type.Optional(text(LENGTHS.reference)),
    }),
    success: { status: 200, data: WalletLinkView },
    errors: ['INVALID_PUBLIC_KEY', 'WALLET_PROOF_INVALID'],
    // The specification requires 400 for every wrong public key, also for one that is no text.
    statuses: { VALIDATION_ERROR: 400 },
  }),
  challengeWallet: ownEndpoint('challengeWallet', 'POST', '/wallets/challenge', {
    surface: 'b',
    scope: 'member',
    summary: 'Get a challenge to sign with the key of a wallet, to prove ownership',
    body: closed({ public_key: Type.String({ maxLength: LENGTHS.reference }) }),
    success: { status: 200, data: WalletChallengeView },
    errors: ['INVALID_PUBLIC_KEY'],
    statuses: { VALIDATION_ERROR: 400 },
  }),
  listWallets: ownEndpoint('listWallets', 'GET', '/wallets', {
    surface: 'b',
    scope: 'member',
    summary: 'List the connected wallets of the caller, and when ownership of each was proven',
    success: { status: 200, data: closed({ wallets: Type.Array(ConnectedWalletView) }) },
  }),
  listProjects: endpoint('listProjects', 'GET', '/projects', {
    surface: 'b',
    scope: 'member',
    summary: 'List the projects of the caller, newest first',
    query: closed(paging),
    success: {
      status: 200,
      data: closed({ projects: Type.Array(ProjectView), pagination: PaginationView }),
    },
  }),
  createProject: endpoint('createProject', 'POST', '/projects', {
    surface: 'b',
    scope: 'member',
    summary: 'Create a project',
    body: closed({
      title: text(LENGTHS.title),
      description: Type.Optional(optionalText(LENGTHS.description)),
      budget: positive(),
      currency: currency(),
    }),
    success: { status: 200, data: ProjectView },
  }),
  initEscrow: endpoint('initEscrow', 'POST', '/escrow/init', {
    surface: 'b',
    scope: 'member',
    summary: 'Fund an escrow for a project of the caller, who is the buyer',
    // An id of a wrong form is not found, like any other that does not exist.
    body: closed({
      project_id: text(LENGTHS.reference),
      seller_id: text(LENGTHS.reference),
      amount: positive(),
      currency: currency(),
    }),
    success: { status: 200, data: MemberEscrowView },
    errors: [
      'PROJECT_NOT_FOUND',
      'USER_NOT_FOUND',
      'USER_NOT_ACTIVE',
      'INVALID_STATE',
      'INSUFFICIENT_FUNDS',
      'AMOUNT_OUT_OF_RANGE',
      'CURRENCY_NOT_ESCROWABLE',
      'ESCROW_FUNDING_FAILED',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'MARKETPLACE_FROZEN',
    ],
    emits: emittedBy(createOrder, reserveOrder, createEscrow, fundEscrow, cancelOrder),
  }),
  releaseEscrow: endpoint('releaseEscrow', 'POST', '/escrow/release', {
    surface: 'b',
    scope: 'member',
    summary: 'Release the escrow to the seller; only the buyer can',
    body: closed({ escrow_id: text(LENGTHS.reference) }),
    success: { status: 200, data: ReleasedEscrowView },
    errors: [
      'ESCROW_NOT_FOUND',
      'NOT_THE_BUYER',
      'INVALID_STATE',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'MARKETPLACE_FROZEN',
    ],
    emits: escrowEndpoints.releaseOrder.emits,
  }),
};

surfaceB satisfies { [I in keyof typeof surfaceB]: Endpoint & { readonly id: I } };

export type SurfaceB = typeof surfaceB;
export type SurfaceBId = keyof SurfaceB;
