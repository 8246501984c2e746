//! The escrow provider under /escrow-provider: the API of Trustless Work V1.
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import { admit } from './admission.ts';
import { ApiRefusal } from './api-refusal.ts';
import { readJsonBody } from './body-shape.ts';
import { BUILD_ROUTES, buildTrustline, TRUSTLINE_SHAPE } from './build-routes.ts';
import { EscrowContracts } from './contract-host.ts';
import { deployCall, deployShape } from './deploy-escrow.ts';
import type { EscrowType } from './escrow-record.ts';
import { listBalances, listByContracts, listByRole, listBySigner } from './read-routes.ts';
import { type Reply, sendTransaction, updateFromTxHash } from './submit-routes.ts';
import { buildUnsigned, ensureVendor, getEscrowOf } from './vendor-call.ts';
import { watchEscrows } from './watcher.ts';

const PREFIX = '/escrow-provider';
const TYPES: readonly EscrowType[] = ['single-release', 'multi-release'];

type Call = (exchange: Exchange) => Reply | Promise<Reply>;

export function serveEscrow(world: World): void {
  const { passphrase, usdcContract } = world.ledger.network;
  const { store } = world;
  world.ledger.register(new EscrowContracts({ store, passphrase, usdcContract }));
  ensureVendor(world);
  serveBuilds(world);
  serveHelpers(world);
  watchEscrows(world);
}

function serveBuilds(world: World): void {
  for (const type of TYPES) {
    on(world, 'POST', `/deployer/${type}`, ({ body }) => {
      const read = readJsonBody(body, deployShape(type));
      return built(201, buildUnsigned(world, deployCall(world, type, read)));
    });
  }
  for (const { types, method = 'POST', path, shape, signer, functionName, args } of BUILD_ROUTES) {
    for (const type of types) {
      on(world, method, `/escrow/${type}/${path}`, ({ body }) => {
        const read = readJsonBody(body, typeof shape === 'function' ? shape(type) : shape);
        const record = getEscrowOf(world, type, read['contractId'] as string);
        const source = read[signer] as string;
        const { contractId } = record;
        const call = { source, contractId, functionName, args: args(read, record, world) };
        return built(method === 'PUT' ? 200 : 201, buildUnsigned(world, call));
      });
    }
  }
  on(world, 'POST', '/helper/set-trustline', ({ body }) =>
    built(201, buildTrustline(world, readJsonBody(body, TRUSTLINE_SHAPE))),
  );
}

function built(status: number, unsignedTransaction: string): Reply {
  return { status, body: { status: 'SUCCESS', unsignedTransaction } };
}

function serveHelpers(world: World): void {
  on(world, 'POST', '/helper/send-transaction', (exchange) => sendTransaction(world, exchange));
  // The vendor's page and its SDK spell the path differently.
  for (const method of ['PUT', 'POST'])
    on(world, method, '/indexer/update-from-tx[hH]ash', (exchange) =>
      updateFromTxHash(world, exchange),
    );
  const reads = {
    'get-multiple-escrow-balance': listBalances,
    'get-escrow-by-contract-ids': listByContracts,
    'get-escrows-by-signer': listBySigner,
    'get-escrows-by-role': listByRole,
  };
  for (const [path, list] of Object.entries(reads))
    on(world, 'GET', `/helper/${path}`, ({ url }) => ({
      status: 200,
      body: list(world, url.searchParams),
    }));
}

function on(world: World, method: string, path: string, call: Call): void {
  world.router.on(method, `${PREFIX}${path}`, async (exchange) => {
    try {
      admit(world, exchange.request);
      const reply = await call(exchange);
      if (reply !== undefined) sendJson(exchange.response, reply.status, reply.body);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      for (const [name, value] of Object.entries(error.headers))
        exchange.response.setHeader(name, value);
      sendJson(exchange.response, error.status, error.body);
    }
  });
}
