//! Creates a new secret for the codes of an operator: POST /operators/{id}/totp.

import { refuse } from '@holdfast/contract/errors';
import { encodeBase32 } from '@holdfast/kernel/base32';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkFreshCode } from './check-fresh-code.ts';
import type { IssuedOperator } from './create-operator.ts';
import { findOperator, setTotpRow } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { refuseMasterKey } from './refuse-master-key.ts';
import { endSessions } from './session.ts';
import { newTotpSecret, totpUri } from './totp.ts';

/** The old secret stops working, and all sessions end. */
export async function issueTotp(
  app: OperatorApp,
  call: Call,
  operatorId: OperatorId,
  code: string | undefined,
): Promise<IssuedOperator> {
  const takeCode = await checkFreshCode(app, call, {
    totp: code,
    action: 'resetTotp',
    request: { operatorId },
  });
  const secret = newTotpSecret();
  const sealed = await app.operators.sealTotp(secret, operatorId);
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    await refuseMasterKey(tx);
    const operator =
      (await findOperator(tx, operatorId)) ?? refuse('OPERATOR_NOT_FOUND', { operatorId });
    await setTotpRow(tx, operatorId, sealed);
    await endSessions(tx, operatorId);
    await audit(tx, { action: 'OPERATOR_TOTP_RESET', resourceId: operatorId });
    return { operator, totpSecret: encodeBase32(secret), totpUri: totpUri(secret, operator.email) };
  });
}
