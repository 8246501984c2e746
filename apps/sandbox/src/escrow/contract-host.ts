//! The vendor's contracts on the ledger: a factory, and every escrow that it has deployed.
import { shortAmount } from '../ledger/amount.ts';
import {
  type ContractCall,
  ContractError,
  type ContractHost,
  type ContractResult,
} from '../ledger/contract.ts';
import type { Change, Store } from '../store.ts';
import { DEPLOY_FUNCTION, deriveContractId, FACTORY, WASM_HASH } from './contract-address.ts';
import { CONTRACT_FUNCTIONS, type Outcome } from './contract-functions.ts';
import { initializeEscrow } from './contract-rules.ts';
import {
  Arguments,
  address,
  escrowValue,
  list,
  nothing,
  readEscrow,
  symbol,
  trap,
} from './contract-values.ts';
import { eventChanges } from './escrow-events.ts';
import { type DeployedEscrow, type EscrowType, totalOf } from './escrow-record.ts';
import { SENTENCES } from './sentences.ts';

/** Deployed escrows, by contract id. */
export const ESCROWS = 'escrow';

interface Surroundings {
  readonly store: Store;
  readonly passphrase: string;
  /** The token contract of USDC: the only one that the contracts hold. */
  readonly usdcContract: string;
}

export class EscrowContracts implements ContractHost {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  knows(contractId: string): boolean {
    return contractId === FACTORY || this.find(contractId) !== undefined;
  }

  find(contractId: string): DeployedEscrow | undefined {
    return this.#around.store.get<DeployedEscrow>(ESCROWS, contractId);
  }

  operationOf(functionName: string): string | undefined {
    const isDeploy = Object.values(DEPLOY_FUNCTION).includes(functionName);
    return isDeploy ? 'deploy' : CONTRACT_FUNCTIONS[functionName]?.operation;
  }

  invoke(call: ContractCall): ContractResult {
    if (call.contractId === FACTORY) return this.#deploy(call);
    const record = this.find(call.contractId);
    if (record === undefined) throw new ContractError(SENTENCES.notFound);
    if (call.functionName === 'get_escrow')
      return { returnValue: escrowValue(record.escrow), changes: [], effects: [] };
    const known = CONTRACT_FUNCTIONS[call.functionName];
    if (!known?.types.includes(record.escrow.type)) throw missingFunction();
    const outcome = known.run({
      escrow: record.escrow,
      balance: call.view.usdcOf(call.contractId),
      source: call.source,
      args: call.args,
      usdcOf: (holder) => call.view.usdcOf(holder),
    });
    return apply(call, record, outcome);
  }

  #deploy(call: ContractCall): ContractResult {
    const type = typeDeployedBy(call.functionName);
    const given = new Arguments(call.args, 6);
    const signer = given.address();
    const wasmHash = given.bytes32();
    const salt = given.bytes32();
    const initFunction = given.symbol();
    const initArgs = given.list();
    if (initFunction !== 'initialize_escrow' || initArgs.length !== 1) throw missingFunction();
    if (signer !== call.source) throw new ContractError('HostError: Error(Auth, InvalidAction)');
    if (!WASM_HASH[type].equals(wasmHash))
      throw new ContractError('HostError: Error(Storage, MissingValue)');
    const contractId = deriveContractId(this.#around.passphrase, FACTORY, salt);
    const isInitialized = this.find(contractId) !== undefined;
    const escrow = initializeEscrow(readEscrow(type, initArgs[0]), isInitialized);
    if (escrow.trustline !== this.#around.usdcContract) throw trap();
    const at = call.view.closeTime * 1000;
    const record: DeployedEscrow = {
      contractId,
      signer,
      escrow,
      paidToBuyer: 0n,
      paidToOthers: 0n,
      createdAt: at,
      updatedAt: at,
    };
    const value = escrowValue(escrow);
    return {
      ...report(call, record, {
        effect: 'escrow.deploy',
        escrow,
        amount: totalOf(escrow),
        topic: 'tw_init',
        data: list([value]),
      }),
      returnValue: list([address(contractId), value]),
    };
  }
}

function typeDeployedBy(functionName: string): EscrowType {
  if (functionName === DEPLOY_FUNCTION['single-release']) return 'single-release';
  if (functionName === DEPLOY_FUNCTION['multi-release']) return 'multi-release';
  throw missingFunction();
}

function missingFunction(): ContractError {
  return new ContractError('HostError: Error(WasmVm, MissingValue)');
}

function apply(call: ContractCall, record: DeployedEscrow, outcome: Outcome): ContractResult {
  const { contractId, view } = call;
  const { escrow, deposit, payments = [], gross = [], disputedBy } = outcome;
  if (deposit !== undefined) view.moveUsdc(deposit.address, contractId, deposit.stroops);
  for (const { address: to, stroops } of payments) view.moveUsdc(contractId, to, stroops);
  let { paidToBuyer, paidToOthers } = record;
  for (const { address: to, stroops } of gross) {
    if (to === escrow.roles.approver) paidToBuyer += stroops;
    else paidToOthers += stroops;
  }
  const next: DeployedEscrow = {
    ...record,
    escrow,
    ...(deposit && { fundedBy: deposit.address }),
    ...(disputedBy !== undefined && { disputeStartedBy: disputedBy }),
    paidToBuyer,
    paidToOthers,
    updatedAt: view.closeTime * 1000,
  };
  return report(call, next, outcome);
}

/** Stores a step that succeeded, and returns its effects and its event. */
function report(call: ContractCall, record: DeployedEscrow, outcome: Outcome): ContractResult {
  const { txHash, view } = call;
  const { contractId, escrow } = record;
  const { effect, amount, milestoneIndex, topic, data } = outcome;
  const balance = view.usdcOf(contractId);
  const step = { effect, record, balance, amount, milestoneIndex, txHash };
  const changes: Change[] = [[ESCROWS, contractId, record], ...eventChanges(step)];
  return {
    returnValue: outcome.returnValue ?? nothing(),
    changes,
    effects: [
      {
        effect,
        orderId: escrow.engagementId,
        contractId,
        txHash,
        ...(amount !== undefined && { amount: shortAmount(amount) }),
        ...(milestoneIndex !== undefined && { milestoneIndex }),
        ...parties(record, outcome),
      },
    ],
    events: [{ contractId, topics: [symbol(topic)], data }],
  };
}

function parties(
  { contractId }: DeployedEscrow,
  { deposit, gross }: Outcome,
): { from?: string; to?: string; asset?: string } {
  const asset = 'USDC';
  if (deposit !== undefined) return { from: deposit.address, to: contractId, asset };
  if (gross === undefined) return {};
  const [only] = gross;
  return { from: contractId, ...(gross.length === 1 && only && { to: only.address }), asset };
}
