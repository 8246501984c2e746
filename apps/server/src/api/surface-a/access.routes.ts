//! Routes of keys, tokens, marketplaces, and the current caller.
import { surfaceA } from '@holdfast/contract/surface-a';
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import { createApiKey } from '../../access/keys/create-api-key.ts';
import { fetchKeySecret } from '../../access/keys/fetch-key-secret.ts';
import { issueToken } from '../../access/keys/issue-token.ts';
import { listApiKeys } from '../../access/keys/list-api-keys.ts';
import { revokeApiKey } from '../../access/keys/revoke-api-key.ts';
import { rotateApiKey } from '../../access/keys/rotate-api-key.ts';
import { createMarketplace } from '../../access/marketplaces/create-marketplace.ts';
import { getMarketplace, listMarketplaces } from '../../access/marketplaces/read-marketplaces.ts';
import { setAdjustmentLimit } from '../../access/marketplaces/set-adjustment-limit.ts';
import type { App } from '../../app/wire.ts';
import { setTreasuryShare } from '../../payments/mirror/set-treasury-share.ts';
import type { Surface } from '../http/serve.ts';
import {
  apiKeyView,
  marketplaceView,
  newApiKeyView,
  treasuryShareView,
} from './views/access.view.ts';

export function accessRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.createApiKey, {
    run: (call, { body }) => createApiKey(app, call, body),
    respond: (issued) => ({ data: newApiKeyView(issued) }),
    storedData: ({ key }) => apiKeyView(key),
  });
  surface.serveList(surfaceA.listApiKeys, {
    run: (call, { query }) => listApiKeys(app, call, query),
    item: apiKeyView,
  });
  surface.serve(surfaceA.createToken, {
    run: (call, { params, body }) => issueToken(app, call, params.id, body ?? {}),
    respond: ({ token, expiresAt, scopes }) => ({
      data: { token, expiresAt: instantText(expiresAt), scopes: [...scopes] },
    }),
  });
  surface.serve(surfaceA.getAuthContext, {
    run: async ({ actor }) => {
      assert(actor.kind === 'key', 'no operator may call this');
      return actor;
    },
    respond: (actor) => ({
      data: {
        apiKeyId: actor.id,
        apiKeyName: actor.name,
        scopes: [...actor.scopes],
        marketplaceId: actor.marketplaceId,
        environment: app.environment,
      },
    }),
  });
  surface.serve(surfaceA.revokeApiKey, {
    run: (call, { params }) => revokeApiKey(app, call, params.id),
    respond: (key) => ({ data: apiKeyView(key) }),
  });
  surface.serve(surfaceA.rotateApiKey, {
    run: (call, { params, body }) => rotateApiKey(app, call, params.id, body ?? {}),
    respond: (issued) => ({ data: newApiKeyView(issued) }),
    storedData: ({ key }) => apiKeyView(key),
  });
  surface.serve(surfaceA.fetchKeySecret, {
    run: (call, { params }) => fetchKeySecret(app, call, params.id),
    respond: (issued) => ({ data: newApiKeyView(issued) }),
  });
  surface.serve(surfaceA.createMarketplace, {
    run: (call, { body }) => createMarketplace(app, call, body.name),
    respond: (marketplace) => ({ data: marketplaceView(marketplace) }),
  });
  surface.serveList(surfaceA.listMarketplaces, {
    run: (call, { query }) => listMarketplaces(app, call, query),
    item: marketplaceView,
  });
  surface.serve(surfaceA.getMarketplace, {
    run: (call, { params }) => getMarketplace(app, call, params.id),
    respond: (marketplace) => ({ data: marketplaceView(marketplace) }),
  });
  surface.serve(surfaceA.setAdjustmentLimit, {
    run: (call, { params, body }) => setAdjustmentLimit(app, call, params.id, body),
    respond: (marketplace) => ({ data: marketplaceView(marketplace) }),
  });
  surface.serve(surfaceA.setTreasuryShare, {
    run: (call, { params, body }) => setTreasuryShare(app, call, params.id, body),
    respond: (share) => ({ data: treasuryShareView(share) }),
  });
}
