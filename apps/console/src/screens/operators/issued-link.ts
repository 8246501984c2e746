//! The link of an invitation: shown once, to the admin who sends it to the person.
import type { NewOperator } from '@holdfast/sdk';
import type { IssuedSecret } from '#parts/action/secret-once.tsx';

export function issuedLink({ operator: { name }, invitation }: NewOperator): IssuedSecret {
  return {
    what: `Link for ${name}`,
    // Without a configured public URL the link is a path.
    secret: invitation && new URL(invitation.link, window.location.origin).href,
    ifLost: `Open ${name} under Operators and choose Reset for a new link.`,
    next: `Send this link to ${name}. It works once, for 48 hours, and Holdfast cannot show it again. ${name} sets up the account with it and gets a confirmation code. Another platform admin then activates the account with that code.`,
  };
}
