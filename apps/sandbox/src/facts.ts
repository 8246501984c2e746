//! Facts that a service must be configured with to use this sandbox, as for real providers.
import { FACTORY, VENDOR, WASM_HASH } from './escrow/contract-address.ts';
import type { World } from './world.ts';

export interface WorldFacts {
  readonly horizon: string;
  readonly rpc: string;
  readonly escrowProvider: string;
  readonly paymentProvider: string;
  readonly checkout: string;
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  readonly escrowFactory: string;
  readonly escrowWasm: { readonly single: string; readonly multi: string };
  readonly escrowFeeAddress: string;
}

export function factsOf({ settings, ledger }: World): WorldFacts {
  const { publicUrl, networkPassphrase } = settings;
  return {
    horizon: `${publicUrl}/horizon`,
    rpc: `${publicUrl}/rpc`,
    escrowProvider: `${publicUrl}/escrow-provider`,
    paymentProvider: `${publicUrl}/payment-provider/v2`,
    checkout: `${publicUrl}/payin/{id}`,
    networkPassphrase,
    usdcIssuer: ledger.network.issuer.publicKey(),
    escrowFactory: FACTORY,
    escrowWasm: {
      single: WASM_HASH['single-release'].toString('hex'),
      multi: WASM_HASH['multi-release'].toString('hex'),
    },
    escrowFeeAddress: VENDOR.publicKey(),
  };
}
