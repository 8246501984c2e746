//! All checks of `npm run test:console`, in order; those that sign an operator out come last.

import type { Environment } from './environment.ts';
import { firstLoad } from './first-load.ts';
import { livelyHome } from './load/lively-home.ts';
import { longTable } from './load/long-table.ts';
import { addOperator } from './scenarios/add-operator.ts';
import { approveOwnRole } from './scenarios/approve-own-role.ts';
import { cancelWithdrawal } from './scenarios/cancel-withdrawal.ts';
import { findByHash } from './scenarios/find-by-hash.ts';
import { freezeUser } from './scenarios/freeze-user.ts';
import { openDatabase } from './scenarios/open-database.ts';
import { replayWebhook } from './scenarios/replay-webhook.ts';
import { resolveException } from './scenarios/resolve-exception.ts';
import { resumePayouts } from './scenarios/resume-payouts.ts';
import { rotateKey } from './scenarios/rotate-key.ts';
import { setTerms } from './scenarios/set-terms.ts';
import { signIn } from './scenarios/sign-in.ts';
import { splitDispute } from './scenarios/split-dispute.ts';
import { stuckOperation } from './scenarios/stuck-operation.ts';
import { writeOffDebt } from './scenarios/write-off-debt.ts';
import {
  checkDialogs,
  checkPlatform,
  checkScreen,
  checkSignIn,
  everyScreenIsListed,
  SCREENS,
} from './screens.ts';
import { foreignSite, framed, policy, scriptless } from './security/browser-walls.ts';
import { plantedScripts } from './security/planted-scripts.ts';
import { sessionCookie, signedOut, wentAway } from './security/session.ts';
import { styles } from './styles.ts';
import { clickAfterAmount, draftStays, slowFilter } from './typing.ts';

export interface Check {
  readonly name: string;
  /** Creates the data of the check before the timer starts; returns the timed part. */
  readonly prepare: (environment: Environment) => Promise<() => Promise<unknown>>;
  /** Runs with `--quick` too. */
  readonly isQuick?: true;
}

/** A check that needs no data of its own. */
function at(run: (environment: Environment) => Promise<unknown>): Check['prepare'] {
  return async (environment) => () => run(environment);
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const SCENARIOS: readonly Check[] = [
  { name: 'scenario 1: sign in with password and two-factor code', prepare: signIn, isQuick: true },
  { name: 'scenario 2: find an order by transaction hash and read its timeline', prepare: findByHash, isQuick: true },
  { name: 'scenario 3: split a dispute with a second approver', prepare: splitDispute, isQuick: true },
  { name: 'scenario 4: freeze and unfreeze a user', prepare: freezeUser, isQuick: true },
  { name: 'scenario 5: retry an operation with unknown outcome', prepare: stuckOperation },
  { name: 'scenario 6: reconcile and resolve an exception', prepare: resolveException },
  { name: 'scenario 7: resend a webhook', prepare: replayWebhook },
  { name: 'scenario 8: rotate an API key', prepare: rotateKey },
  { name: 'scenario 9: invite an operator, whom a second platform admin activates', prepare: addOperator },
  { name: 'scenario 10: cancel a withdrawal', prepare: cancelWithdrawal, isQuick: true },
  { name: 'scenario 11: change the terms with a second approver', prepare: setTerms },
  { name: 'scenario 12: write off a debt with a second approver', prepare: writeOffDebt },
  { name: 'scenario 13: resume payouts with a second platform admin', prepare: resumePayouts },
  { name: 'scenario 14: open a database that was failed over, with a second platform admin', prepare: openDatabase },
  // The admin who gets a role approves nothing for a day, so this comes after what he approves.
  { name: 'scenario 15: a role of a platform admin, approved by another', prepare: approveOwnRole },
];

// biome-ignore format: a table is the one thing exempt from the line limit.
export const CHECKS: readonly Check[] = [
  { name: 'policy: only the console’s own script files run', prepare: at(policy), isQuick: true },
  { name: 'policy: the built page has no inline script', prepare: at(scriptless), isQuick: true },
  { name: 'policy: no other page can frame the console', prepare: at(framed), isQuick: true },
  { name: 'styles: every component is styled', prepare: at(styles), isQuick: true },
  { name: 'session: the cookie is unreadable by scripts and not sufficient alone', prepare: at(sessionCookie), isQuick: true },
  { name: 'session: another site cannot make changes', prepare: foreignSite, isQuick: true },
  { name: 'typing: a draft stays with its dispute', prepare: draftStays },
  { name: 'typing: a click right after an amount opens the dialog', prepare: clickAfterAmount },
  { name: 'typing: a filter keeps focus and shows its value', prepare: at(slowFilter) },
  { name: 'scripts injected through the API do not run', prepare: at(plantedScripts) },
  { name: 'screen: every screen is listed', prepare: at(everyScreenIsListed), isQuick: true },
  { name: 'screen: sign-in', prepare: at(checkSignIn) },
  { name: 'screen: search and an action', prepare: at(checkDialogs) },
  { name: 'screen: operator actions and password', prepare: at(checkPlatform) },
  ...SCREENS.map((row) => ({ name: `screen: ${row.folder}`, prepare: at((environment) => checkScreen(environment, row)) })),
  { name: 'size: files loaded by sign-in and home', prepare: at(firstLoad), isQuick: true },
  { name: 'load: a table of a hundred thousand orders', prepare: longTable },
  { name: 'load: home with two hundred events a second', prepare: livelyHome },
  { name: 'session: ends after inactivity', prepare: at(wentAway) },
  { name: 'session: ends at once on sign-out', prepare: at(signedOut), isQuick: true },
];
