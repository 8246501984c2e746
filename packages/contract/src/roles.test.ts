import { describe, expect, it } from 'vitest';
import { type Endpoint, errorsOf } from '#endpoint';
import { OPERATOR_ROLES } from '#enums';
import { rolesOf } from '#roles';
import { surfaceA } from '#surface-a';
import { surfaceB } from '#surface-b';

const all = Object.values<Endpoint>(surfaceA);
const isChange = ({ method, changesNothing }: Endpoint) =>
  method !== 'GET' && changesNothing !== true;
const changes = all.filter((one) => isChange(one) && rolesOf(one).length > 0);
const rows = (list: readonly Endpoint[]) =>
  list.map((one) => `${one.id}: ${rolesOf(one).join(' ')}`).sort();

/** Every change that operators may call, with its roles. A new one must be added here. */
const CHANGES = `
advanceLabClock: admin
approve: support finance admin
armLabFault: admin
assignDispute: support admin
cancelOrder: support admin
cancelTopup: support finance admin
cancelWithdrawal: finance admin
clearLabFaults: admin
commitWithdrawal: finance admin
createApiKey: admin
createDisputeEvidence: support admin
createDisputeNote: support admin
createReconciliationRun: finance admin
createWebhookEndpoint: admin
creditBalance: finance admin
debitBalance: finance admin
deleteWebhookEndpoint: admin
fetchKeySecret: admin
freezeUser: support finance admin
liftStop: finance admin
openDispute: support admin
pauseWebhookEndpoint: admin
refreshTopup: support finance admin
refreshWithdrawal: support finance admin
refundOrder: support admin
reject: support finance admin
releaseOrder: support admin
replayWebhookEvents: support finance admin
rerunNotification: support finance admin
resolveDispute: support admin
resolveException: finance admin
resumeWebhookEndpoint: admin
retryOperation: support finance admin
revealUser: support finance admin
revealWithdrawal: support finance admin
revokeApiKey: admin
rotateApiKey: admin
rotateWebhookSecret: admin
runLabScenario: admin
seedLab: admin
setTerms: finance admin
stopMarketplace: finance admin
syncBalance: finance admin
testWebhookEndpoint: support finance admin
unfreezeUser: support finance admin
updateWebhookEndpoint: admin
writeOffDebt: finance admin`;

describe('operators', () => {
  it('change only what is named here, each role its own', () => {
    expect(rows(changes)).toEqual(CHANGES.trim().split('\n'));
  });

  it('read everything that a key may read', () => {
    for (const one of all.filter(({ scope }) => scope === 'read'))
      if (one.method === 'GET' && one.operators === undefined)
        expect([one.id, ...rolesOf(one)]).toEqual([one.id, ...OPERATOR_ROLES]);
  });

  it('with the role of a viewer change nothing', () => {
    expect(changes.filter((one) => rolesOf(one).includes('viewer'))).toEqual([]);
  });

  it('need a second approver for money, terms, more rights and to lift a stop, where they may request it', () => {
    const approvable = all.filter(({ secondApprover }) => secondApprover !== undefined);
    expect(approvable.map(({ id, secondApprover }) => `${id} ${secondApprover}`).sort()).toEqual([
      'commitWithdrawal above-limit',
      'createApiKey always',
      'creditBalance always',
      'debitBalance always',
      'liftStop always',
      'recordCapital always',
      'refundOrder above-limit',
      'releaseOrder above-limit',
      'resolveDispute above-limit',
      'resolveException always',
      'rotateApiKey always',
      'setAdjustmentLimit increase',
      'setMemberships increase',
      'setOperatorStatus increase',
      'setTerms always',
      'setTreasuryShare increase',
      'writeOffDebt always',
    ]);
    const hasApprovers = (one: Endpoint) =>
      rolesOf(one).length > 0 || one.scope === 'platform' || one.platform === true;
    expect(approvable.filter((one) => !hasApprovers(one))).toEqual([]);
  });

  it('have no way into Surface B, nor to what is public or signed', () => {
    const closed = [...Object.values<Endpoint>(surfaceB), ...all].filter(
      ({ scope, surface }) => surface === 'b' || scope === 'public' || scope === 'signature',
    );
    for (const one of closed) expect([one.id, rolesOf(one)]).toEqual([one.id, []]);
  });
});

describe('a platform admin', () => {
  it('manages operators, marketplaces and what stands above them, and nothing within one', () => {
    const open = all.filter((one) => one.scope === 'platform' || one.platform === true);
    const shared = open.filter((one) => rolesOf(one).length > 0);
    expect(shared.map(({ id }) => id).join(' ')).toBe(
      'listAuditLogs getTerms stopMarketplace listStops getSolvency getSolvencyHistory listNotifications ' +
        'getNotification rerunNotification listApprovals getApproval approve reject',
    );
    const own = open.filter((one) => !shared.includes(one));
    expect(own.map(({ id }) => id).join(' ')).toBe(
      'createMarketplace listMarketplaces getMarketplace setAdjustmentLimit setTreasuryShare ' +
        'pausePayouts resumePayouts recordCapital getRecovery listFindings checkWrites openDatabase ' +
        'createOperator listOperators setMemberships setOperatorStatus activateOperator resetOperator',
    );
  });
});

it('requires a reason for every change of an operator', () => {
  for (const one of changes) expect(errorsOf(one)).toContain('REASON_REQUIRED');
  expect(errorsOf(surfaceA.getOrder)).not.toContain('REASON_REQUIRED');
  expect(errorsOf(surfaceA.createUser)).not.toContain('REASON_REQUIRED');
});
