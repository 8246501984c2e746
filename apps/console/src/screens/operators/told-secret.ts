//! The secret that somebody's authenticator makes codes from: told once, to whoever made it.
import type { NewOperator } from '@holdfast/sdk';
import type { ToldSecret } from '#parts/secret-once.tsx';

export function toldSecret({ operator, totpSecret, totpUri = '' }: NewOperator): ToldSecret {
  return {
    what: `Secret for the codes of ${operator.name}`,
    secret: totpSecret && [totpSecret, totpUri].join('\n\n').trim(),
    ifLost: `Open ${operator.name} under Operators and make a new secret.`,
  };
}
