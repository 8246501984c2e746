//! Compares the endpoints with the specification's inventory: all of it, in its order, then ours.
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#endpoint';
import { surfaceA } from '#surface-a';
import { surfaceB } from '#surface-b';

/** The specification's inventory of Surface A, in its order, with the scope each call needs. */
const inventory = `
POST /auth/api-keys master
GET /auth/api-keys read
POST /auth/api-keys/{id}/token any
GET /auth/me any
GET /config public
GET /health public
GET /health/detailed public
POST /users write
GET /users read
GET /users/{id} read
POST /users/{id}/payment-account/link write
GET /users/{userId}/balance read
POST /users/{userId}/balance/credit write
POST /users/{userId}/balance/debit write
POST /users/{userId}/balance/reserve write
POST /users/{userId}/balance/release write
POST /users/{userId}/balance/cancel-reservation write
POST /users/{userId}/balance/deduct-reserved write
POST /users/{userId}/balance/sync write
GET /users/{userId}/balance/verify read
GET /users/{userId}/wallet read
GET /users/{userId}/wallet/deposit read
GET /users/{userId}/wallet/transactions read
POST /topups write
GET /topups read
GET /topups/{id} read
POST /topups/{id}/refresh write
POST /topups/{id}/cancel write
GET /topups/{id}/callback public
POST /orders write
GET /orders read
GET /orders/{id} read
POST /orders/{id}/reserve write
POST /orders/{id}/cancel write
GET /orders/{id}/milestones read
POST /orders/{id}/milestones/{ref}/complete write
POST /orders/{id}/escrow write
POST /orders/{id}/escrow/fund write
POST /orders/{orderId}/resolution/release write
POST /orders/{orderId}/resolution/refund write
POST /orders/{orderId}/resolution/dispute write
GET /disputes read
GET /disputes/{id} read
POST /disputes/{id}/assign write
POST /disputes/{id}/resolve support
POST /withdrawals write
GET /withdrawals read
GET /withdrawals/{id} read
POST /withdrawals/{id}/commit write
POST /withdrawals/{id}/refresh write
GET /events any
POST /webhooks/payment-provider signature
POST /webhooks/escrow-provider signature
GET /audit/logs read`
  .trim()
  .split('\n');

/** Ours beyond it, with the scope each call needs. */
const ours = `
revokeApiKey master
rotateApiKey master
fetchKeySecret operator
createMarketplace master
listMarketplaces master
getMarketplace master
setAdjustmentLimit master
setTreasuryShare master
getTerms master
setTerms master
stopMarketplace master
listStops master
liftStop master
getOperation read
getOrderTimeline read
getUserStatement read
getWithdrawalStatement read
getFeeReport read
listEventLog any
createReconciliationRun write
listReconciliationRuns read
getReconciliationRun read
listExceptions read
getException read
resolveException support
getSolvency read
getSolvencyHistory read
pausePayouts master
resumePayouts master
recordCapital master
getRecovery master
listFindings master
checkWrites master
openDatabase master
createWebhookEndpoint write
listWebhookEndpoints read
getWebhookEndpoint read
updateWebhookEndpoint write
deleteWebhookEndpoint write
rotateWebhookSecret write
pauseWebhookEndpoint write
resumeWebhookEndpoint write
testWebhookEndpoint write
replayWebhookEvents write
listWebhookDeliveries read
search read
getHomeInsights read
listOperations read
retryOperation support
getLedgerChart read
listLedgerAccounts read
getLedgerAccount read
listLedgerAccountEntries read
listLedgerEntries read
getLedgerEntry read
getOrderDetail read
listDisputeNotes read
createDisputeNote support
previewResolution read
listDisputeEvidence read
createDisputeEvidence write
freezeUser support
unfreezeUser support
createPasswordReset write
listDebts read
writeOffDebt support
revealUser support
cancelWithdrawal write
revealWithdrawal support
listNotifications read
getNotification read
rerunNotification support
listRequestLog read
listIdempotencyKeys read
getSystem read
getLab read
advanceLabClock support
armLabFault support
clearLabFaults support
runLabScenario support
seedLab support
signIn public
signOut session
getSession session
changePassword session
listSessions session
endSession session
openInvitation public
enroll public
createOperator platform
listOperators platform
listOperatorNames read
setMemberships platform
setOperatorStatus platform
activateOperator platform
resetOperator platform
listApprovals read
getApproval read
approve operator
reject operator`
  .trim()
  .split('\n');

const inventoryB = `
POST /auth/register public
POST /auth/login public
GET /balances member
GET /balances/transactions member
POST /wallets/connect member
GET /projects member
POST /projects member
POST /escrow/init member
POST /escrow/release member`
  .trim()
  .split('\n');

const a = Object.values<Endpoint>(surfaceA);
const b = Object.values<Endpoint>(surfaceB);
const line = (one: Endpoint) => `${one.method} ${one.path} ${one.scope}`;

describe('the surfaces', () => {
  it("hold the specification's 54 endpoints in its order, then ours", () => {
    expect(a.filter((one) => one.origin === 'spec').map(line)).toEqual(inventory);
    expect(inventory).toHaveLength(54);
    expect(a.slice(54).every((one) => one.origin === 'ours')).toBe(true);
    expect(a.slice(54).map((one) => `${one.id} ${one.scope}`)).toEqual(ours);
  });

  it('name no two records alike: the name is a type of the SDK', () => {
    const shapes = new Map<string, Set<string>>();
    const visit = (schema: unknown) => {
      if (typeof schema !== 'object' || schema === null) return;
      const { title, properties } = schema as { title?: string; properties?: object };
      if (title !== undefined && properties !== undefined)
        shapes.set(title, (shapes.get(title) ?? new Set()).add(JSON.stringify(properties)));
      for (const part of Object.values(schema)) visit(part);
    };
    for (const one of [...a, ...b]) visit(one.success.data);
    const doubtful = [...shapes].filter(([, found]) => found.size > 1).map(([title]) => title);
    expect(shapes.size).toBeGreaterThan(50);
    expect(doubtful).toEqual([]);
  });

  it('hold the nine of Surface B in its order, and five of ours', () => {
    expect(b.filter((one) => one.origin === 'spec').map(line)).toEqual(inventoryB);
    expect(b.filter((one) => one.origin === 'ours').map(line)).toEqual([
      'POST /auth/logout member',
      'POST /auth/password member',
      'POST /auth/password/reset public',
      'POST /wallets/challenge member',
      'GET /wallets member',
    ]);
    expect(b.every((one) => one.surface === 'b')).toBe(true);
  });
});
