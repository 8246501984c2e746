//! Everything that is checked, in this order; whatever signs somebody out comes last.

import { firstLoad } from './first-load.ts';
import { livelyHome } from './load/lively-home.ts';
import { longTable } from './load/long-table.ts';
import {
  everyScreenIsListed,
  lookAtDialogs,
  lookAtDoor,
  lookAtPlatform,
  lookAtScreen,
  SCREENS,
} from './screens.ts';
import { foreignSite, framed, policy, scriptless } from './security/browser-walls.ts';
import { plantedScripts } from './security/planted-scripts.ts';
import { sessionCookie, signedOut, wentAway } from './security/session.ts';
import type { Stage } from './stage.ts';
import { addOperator } from './stories/add-operator.ts';
import { findByHash } from './stories/find-by-hash.ts';
import { freezeUser } from './stories/freeze-user.ts';
import { replayWebhook } from './stories/replay-webhook.ts';
import { resolveException } from './stories/resolve-exception.ts';
import { rotateKey } from './stories/rotate-key.ts';
import { signIn } from './stories/sign-in.ts';
import { splitDispute } from './stories/split-dispute.ts';
import { stuckOperation } from './stories/stuck-operation.ts';
import { styles } from './styles.ts';
import { draftStays, slowFilter } from './typing.ts';

export interface Check {
  readonly name: string;
  /** Makes what it is about, before anybody looks at the clock; gives what then happens. */
  readonly prepare: (stage: Stage) => Promise<() => Promise<unknown>>;
  /** Played with `--quick` too. */
  readonly isQuick?: true;
}

/** Nothing has to be there before. */
function at(run: (stage: Stage) => Promise<unknown>): Check['prepare'] {
  return async (stage) => () => run(stage);
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const STORIES: readonly Check[] = [
  { name: 'story 1: sign in with password and code', prepare: signIn, isQuick: true },
  { name: 'story 2: find an order by its hash, and explain it', prepare: findByHash, isQuick: true },
  { name: 'story 3: split a dispute with a second person', prepare: splitDispute, isQuick: true },
  { name: 'story 4: freeze and unfreeze a user', prepare: freezeUser, isQuick: true },
  { name: 'story 5: bring a stuck operation to its end', prepare: stuckOperation },
  { name: 'story 6: reconcile, and resolve an exception', prepare: resolveException },
  { name: 'story 7: replay a webhook', prepare: replayWebhook },
  { name: 'story 8: rotate an API key', prepare: rotateKey },
  { name: 'story 9: add to the operators somebody who then chooses a password', prepare: addOperator },
];

// biome-ignore format: a table is the one thing exempt from the line limit.
export const CHECKS: readonly Check[] = [
  { name: 'policy: no script but its own files', prepare: at(policy), isQuick: true },
  { name: 'policy: the built page has no script inside', prepare: at(scriptless), isQuick: true },
  { name: 'policy: no other page can frame the console', prepare: at(framed), isQuick: true },
  { name: 'styles: every component has its own', prepare: at(styles), isQuick: true },
  { name: 'session: the cookie is out of reach, and not enough by itself', prepare: at(sessionCookie), isQuick: true },
  { name: 'session: another site changes nothing', prepare: foreignSite, isQuick: true },
  { name: 'typing: a draft stays with its dispute', prepare: draftStays },
  { name: 'typing: a filter keeps the keyboard, and shows what it filters by', prepare: at(slowFilter) },
  { name: 'scripts planted through the API do not run', prepare: at(plantedScripts) },
  { name: 'screen: every one is in the list', prepare: at(everyScreenIsListed), isQuick: true },
  { name: 'screen: sign-in', prepare: at(lookAtDoor) },
  { name: 'screen: search and an action', prepare: at(lookAtDialogs) },
  { name: 'screen: what is done about operators, and a password', prepare: at(lookAtPlatform) },
  ...SCREENS.map((row) => ({ name: `screen: ${row.folder}`, prepare: at((stage) => lookAtScreen(stage, row)) })),
  { name: 'size: what sign-in and home load', prepare: at(firstLoad), isQuick: true },
  { name: 'load: a table of a hundred thousand orders', prepare: longTable },
  { name: 'load: home with two hundred events a second', prepare: livelyHome },
  { name: 'session: over for whoever went away', prepare: at(wentAway) },
  { name: 'session: over at once for whoever signs out', prepare: at(signedOut), isQuick: true },
];
