//! The secret of an operator's authenticator: shown once, to the admin who created it.
import type { NewOperator } from '@holdfast/sdk';
import type { IssuedSecret } from '#parts/action/secret-once.tsx';

export function issuedSecret({ operator, totpSecret, totpUri = '' }: NewOperator): IssuedSecret {
  return {
    what: `Two-factor secret for ${operator.name}`,
    secret: totpSecret && [totpSecret, totpUri].join('\n\n').trim(),
    ifLost: `Open ${operator.name} under Operators and reset two-factor authentication.`,
  };
}
