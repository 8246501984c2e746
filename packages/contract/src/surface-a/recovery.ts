//! The recovery of a database that was set back or failed over.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { closed, listQuery, ownCode, text } from '#fields';
import { LENGTHS } from '#limits';
import {
  AcknowledgedWriteInput,
  RecoveryFindingView,
  RecoveryView,
  WRITES_MAX,
  WritesCheckView,
} from '#records/recovery-records';

export const recoveryEndpoints = {
  getRecovery: ownEndpoint('getRecovery', 'GET', '/recovery', {
    scope: 'master',
    platform: true,
    summary: 'Get whether the database has unrecorded writes, and what is closed',
    success: { status: 200, data: RecoveryView },
  }),
  listFindings: ownEndpoint('listFindings', 'GET', '/recovery/findings', {
    scope: 'master',
    platform: true,
    summary: 'List what the database has unrecorded and a person has to settle, newest first',
    query: listQuery('fnd', {}),
    success: { status: 200, data: RecoveryFindingView, list: true },
  }),
  checkWrites: ownEndpoint('checkWrites', 'POST', '/recovery/writes', {
    scope: 'master',
    platform: true,
    worksDuringRecovery: true,
    summary:
      'Check whether acknowledged writes, as the log of an API server has them, are in the database; each lost one becomes a finding',
    body: closed({
      writes: Type.Array(AcknowledgedWriteInput, { minItems: 1, maxItems: WRITES_MAX }),
    }),
    success: { status: 200, data: WritesCheckView },
    errors: ['PLATFORM_ADMIN_REQUIRED'],
  }),
  openDatabase: ownEndpoint('openDatabase', 'POST', '/recovery/open', {
    scope: 'master',
    platform: true,
    worksDuringRecovery: true,
    idempotent: true,
    summary:
      'Open a database after its recovery; a platform admin only requests it until another one calls this as well',
    body: closed({ reason: text(LENGTHS.reason), totp: ownCode() }),
    success: { status: 200, data: RecoveryView },
    errors: [
      'INVALID_STATE',
      'SECOND_APPROVER_REQUIRED',
      'SIGN_IN_REFUSED',
      'APPROVER_TOO_NEW',
      'PLATFORM_ADMIN_REQUIRED',
    ],
    emits: ['marketplace.rewound'],
  }),
};
