//! The escrow provider over HTTP (Trustless Work V1). It builds transactions and returns the state
//! of contracts. The service signs the transactions and sends them to the ledger network.
import { assert } from '@holdfast/kernel/assert';
import { exactNumber, type RawNumber } from '../exact-number.ts';
import { done, type Outcome, refused, unknown } from '../outcome.ts';
import { ProviderHttp, type ProviderHttpSettings, type ProviderRequest } from '../provider-http.ts';
import { PERCENT_PLACES, readContractState, STROOP_PLACES } from './contract-state.ts';
import {
  type Built,
  COMPLETED,
  type ContractKind,
  type ContractState,
  type EscrowProvider,
  type EscrowStep,
  type EscrowTerms,
  type NotBuilt,
  termsAsSent,
} from './escrow-provider.ts';
import { type ProviderReply, readEscrowReply } from './escrow-replies.ts';

export interface EscrowProviderSettings extends Omit<ProviderHttpSettings, 'name' | 'headers'> {
  readonly apiKey: string;
  readonly usdcIssuer: string;
  readonly buildTimeoutMs: number;
  readonly readTimeoutMs: number;
}

export function httpEscrowProvider(settings: EscrowProviderSettings): EscrowProvider {
  const { apiKey, usdcIssuer, buildTimeoutMs, readTimeoutMs } = settings;
  const headers = { 'x-api-key': apiKey };
  const http = new ProviderHttp({ ...settings, name: 'escrow provider', headers });
  const send = async (sending: ProviderRequest) => readEscrowReply(await http.send(sending));
  const get = (path: string) => send({ method: 'GET', path, timeoutMs: readTimeoutMs });

  return {
    async build(step) {
      const call = callOf(step, usdcIssuer);
      if (call === undefined)
        return refused('amount-invalid', 'the amount cannot be sent exactly as a JSON number');
      const { path, body } = call;
      return readBuilt(await send({ method: 'POST', path, body, timeoutMs: buildTimeoutMs }));
    },

    async read(contractId) {
      const query = new URLSearchParams({ 'contractIds[]': contractId, validateOnChain: 'true' });
      const reply = await get(`/helper/get-escrow-by-contract-ids?${query.toString()}`);
      const found = readStates(reply);
      if (found.kind !== 'done') return found;
      return done(found.value.find((state) => state.contractId === contractId) ?? null);
    },

    async findByEngagement(signer, engagementId) {
      const query = new URLSearchParams({
        signer,
        engagementId,
        validateOnChain: 'true',
        pageSize: '50',
      });
      const found = readStates(await get(`/helper/get-escrows-by-signer?${query.toString()}`));
      if (found.kind !== 'done') return found;
      return done(found.value.filter((state) => state.engagementId === engagementId));
    },

    async recordTransaction(hash) {
      const options = { body: { txHash: hash }, timeoutMs: readTimeoutMs };
      const put = await send({ method: 'PUT', path: '/indexer/update-from-txhash', ...options });
      if (put.kind === 'good') return done(null);
      // The vendor's document and its own client disagree on the route.
      const post = await send({ method: 'POST', path: '/indexer/update-from-txHash', ...options });
      return post.kind === 'good' ? done(null) : unknown(put.reason);
    },
  };
}

function readBuilt(reply: ProviderReply): Built {
  if (reply.kind === 'no') return refused(reply.code, reply.reason);
  if (reply.kind === 'unclear') return notBuilt(reply.reason);
  const { unsignedTransaction: xdr } = (reply.json ?? {}) as { unsignedTransaction?: unknown };
  if (typeof xdr === 'string' && xdr !== '') return done({ xdr });
  return refused('nothing-built', 'the reply holds no transaction');
}

function notBuilt(reason: string): NotBuilt {
  return { ...unknown(reason), hasNoEffect: true };
}

function readStates(reply: ProviderReply): Outcome<ContractState[]> {
  if (reply.kind === 'no' && reply.code === 'not-found') return done([]);
  if (reply.kind !== 'good') return unknown(reply.reason);
  const { json } = reply;
  if (json === null) return done([]);
  const states = (Array.isArray(json) ? json : [json]).map(readContractState);
  return states.every((state) => state !== undefined)
    ? done(states)
    : unknown('a contract in the reply cannot be read');
}

interface BuildCall {
  readonly path: string;
  readonly body: object;
}

/** The route and the body for a step. Undefined when an amount fits no JSON number. */
function callOf(step: EscrowStep, usdcIssuer: string): BuildCall | undefined {
  switch (step.step) {
    case 'deploy':
      return deployCall(step.signer, termsAsSent(step.terms), usdcIssuer);
    case 'fund': {
      const { kind, contractId, signer } = step;
      const amount = exactNumber(step.stroops, STROOP_PLACES);
      return amount && call(kind, 'fund-escrow', { contractId, signer, amount });
    }
    case 'completeMilestone': {
      const { kind, contractId, serviceProvider } = step;
      const milestoneIndex = String(step.milestoneIndex);
      const { status: newStatus, evidence: newEvidence } = COMPLETED;
      const body = { contractId, milestoneIndex, newStatus, newEvidence, serviceProvider };
      return call(kind, 'change-milestone-status', body);
    }
    case 'approve': {
      const { kind, contractId, approver } = step;
      const milestoneIndex = String(step.milestoneIndex);
      return call(kind, 'approve-milestone', { contractId, milestoneIndex, approver });
    }
    case 'release': {
      const route = step.kind === 'single-release' ? 'release-funds' : 'release-milestone-funds';
      return call(step.kind, route, { ...partOf(step), releaseSigner: step.releaseSigner });
    }
    case 'dispute': {
      const route = step.kind === 'single-release' ? 'dispute-escrow' : 'dispute-milestone';
      return call(step.kind, route, { ...partOf(step), signer: step.signer });
    }
    case 'resolve':
      return resolveCall(step);
  }
}

function call(kind: ContractKind, route: string, body: object): BuildCall {
  return { path: `/escrow/${kind}/${route}`, body };
}

/** Indexes are text on this API. */
function partOf(step: Extract<EscrowStep, { step: 'release' | 'dispute' | 'resolve' }>): object {
  const { contractId } = step;
  return step.kind === 'single-release'
    ? { contractId }
    : { contractId, milestoneIndex: String(step.milestoneIndex) };
}

function deployCall(signer: string, terms: EscrowTerms, usdcIssuer: string): BuildCall | undefined {
  const { kind, engagementId, title, description, roles, milestones } = terms;
  const { receiver, ...others } = roles;
  const amount = exactNumber(terms.stroops, STROOP_PLACES);
  const platformFee = exactNumber(terms.feeBasisPoints, PERCENT_PLACES);
  const amounts = milestones.map(({ stroops }) => exactNumber(stroops, STROOP_PLACES));
  if (amount === undefined || platformFee === undefined || !areAll(amounts)) return undefined;
  const common = {
    signer,
    engagementId,
    title,
    description,
    platformFee,
    trustline: { address: usdcIssuer, symbol: 'USDC' },
  };
  const path = `/deployer/${kind}`;
  if (kind === 'single-release') {
    const texts = milestones.map((milestone) => ({ description: milestone.description }));
    return { path, body: { ...common, roles, amount, milestones: texts } };
  }
  const parts = milestones.map((milestone, at) => ({
    description: milestone.description,
    amount: amounts[at],
    receiver,
  }));
  return { path, body: { ...common, roles: others, milestones: parts } };
}

function resolveCall(step: Extract<EscrowStep, { step: 'resolve' }>): BuildCall | undefined {
  const { disputeResolver, distributions } = step;
  const addresses = new Set(distributions.map(({ address }) => address));
  assert(addresses.size === distributions.length, 'each address is named once in a resolution');
  const amounts = distributions.map(({ stroops }) => exactNumber(stroops, STROOP_PLACES));
  if (!areAll(amounts)) return undefined;
  const route = step.kind === 'single-release' ? 'resolve-dispute' : 'resolve-milestone-dispute';
  const shares = distributions.map(({ address }, at) => ({ address, amount: amounts[at] }));
  return call(step.kind, route, { ...partOf(step), disputeResolver, distributions: shares });
}

function areAll(amounts: readonly (RawNumber | undefined)[]): amounts is readonly RawNumber[] {
  return amounts.every((amount) => amount !== undefined);
}
