//! Checks the fields of the records, the word lists and the audit actions.
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, auditActions } from '#audit-actions';
import { CLOSE_REASONS, PROJECT_STATUSES } from '#enums';
import * as records from '#records';
import * as memberRecords from '#records/member-records';
import * as orderRecords from '#records/order-records';
import * as paymentRecords from '#records/payment-records';

const keys = (schema: TSchema) =>
  Object.keys((schema as { properties: Record<string, unknown> }).properties).sort();

describe('a record', () => {
  it.each<[string, TSchema, string]>([
    ['balance', records.BalanceView, 'userId available reserved total currency updatedAt'],
    [
      'sync result',
      records.BalanceSyncResultView,
      'synced previousBalance currentBalance discrepancyDetected adjustment',
    ],
    [
      'auth context',
      records.AuthContextView,
      'apiKeyId apiKeyName scopes marketplaceId environment',
    ],
    [
      'API key',
      records.ApiKeyView,
      'id name scopes marketplaceId createdAt expiresAt revokedAt lastUsedAt rotatedFrom ' +
        'requestsPerMinute createdBy approvedBy hasSecret',
    ],
    [
      'audit entry',
      records.AuditEntryView,
      'id occurredAt action resourceType resourceId before after actorType actorId result reason correlationId address userAgent',
    ],
    ['member', memberRecords.MemberView, 'id email name'],
    ['registered member', memberRecords.RegisteredMemberView, 'id email name token'],
    ['balance entry', memberRecords.BalanceEntryView, 'currency available held'],
    [
      'transaction',
      memberRecords.HistoryLineView,
      'id type amount currency description created_at',
    ],
    ['pagination', memberRecords.PaginationView, 'page limit total pages'],
    ['wallet link', memberRecords.WalletLinkView, 'wallet_id public_key connected_at'],
    [
      'project',
      memberRecords.ProjectView,
      'id title description budget currency status escrow_id created_at',
    ],
    [
      'project escrow',
      memberRecords.MemberEscrowView,
      'escrow_id project_id buyer_id seller_id amount currency status created_at',
    ],
    [
      'released escrow',
      memberRecords.ReleasedEscrowView,
      'escrow_id status released_amount released_at',
    ],
  ])('%s has exactly its fields', (_, schema, fields) => {
    expect(keys(schema)).toEqual(fields.split(' ').sort());
  });

  it.each<[string, TSchema, string]>([
    [
      'order',
      orderRecords.OrderView,
      'id status amount currency buyerId sellerId title description clientOrderRef metadata escrow dispute milestones fee feeRate closeReason allowedActions createdAt updatedAt',
    ],
    [
      'escrow',
      orderRecords.EscrowView,
      'id providerContractId status amount terms fundedAt releasedAt refundedAt',
    ],
    ['milestone', orderRecords.MilestoneView, 'ref title amount status'],
    [
      'opened dispute',
      orderRecords.OpenedDisputeView,
      'id orderId openedBy reason evidence status resolutionDecision decisionNote order',
    ],
    [
      'dispute',
      orderRecords.DisputeView,
      'id orderId releaseAmount refundAmount resolutionDecision',
    ],
    [
      'verification',
      records.BalanceVerificationView,
      'isValid offChainBalance onChainBalance difference',
    ],
    ['new key', records.NewApiKeyView, 'id name scopes marketplaceId key api_key'],
    ['wallet', records.WalletView, 'ledgerAddress type balances'],
    ['deposit address', records.DepositAddressView, 'address asset network'],
    [
      'configuration',
      records.ConfigView,
      'baseCurrency currencies limits feeRate features version',
    ],
    [
      'top-up',
      paymentRecords.TopupView,
      'id status userId amount currency confirmationUri providerPayinId',
    ],
    [
      'withdrawal',
      paymentRecords.WithdrawalView,
      'id status userId amount currency destination providerPayoutId',
    ],
  ])('%s has at least the fields that are settled', (_, schema, fields) => {
    expect(keys(schema)).toEqual(expect.arrayContaining(fields.split(' ')));
  });

  it('is published under a name that no other has', () => {
    const titles = [records, orderRecords, memberRecords]
      .flatMap((module) => Object.values(module))
      .map((schema) => (schema as { title?: string }).title);
    expect(titles.filter((title) => title === undefined)).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('never shows an archived escrow', () => {
    const { status } = orderRecords.EscrowView.properties;
    expect(status.enum).toEqual([
      'CREATING',
      'CREATED',
      'FUNDING',
      'FUNDED',
      'RELEASED',
      'REFUNDED',
      'DISPUTED',
    ]);
  });
});

describe('the close reasons and project statuses', () => {
  it('are as decided', () => {
    expect(CLOSE_REASONS).toEqual(['RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED']);
    expect(PROJECT_STATUSES).toEqual(expect.arrayContaining(['open', 'in_progress']));
  });
});

describe('the audit actions', () => {
  it.each(AUDIT_ACTIONS.map((name) => [name]))('%s says what happened, and to what', (name) => {
    expect(name).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(auditActions[name].description).toMatch(/^[A-Z].*\.$/);
    expect(auditActions[name].resourceType).toMatch(/^[A-Z][A-Za-z]+$/);
  });

  it('hold what the specification names', () => {
    for (const name of ['ESCROW_CREATE_FAILED', 'ESCROW_FUNDING_FAILED', 'RELEASE_REQUESTED']) {
      expect(AUDIT_ACTIONS).toContain(name);
    }
  });
});
