//! Explains anything that has an id or a name.
import { type Prefix, readId } from '@holdfast/kernel/ids';
import type { Holdfast } from '@holdfast/sdk';
import { explainException, explainKey, explainRun } from './explain-operator-records.ts';
import { explainDispute, explainOrder } from './explain-order.ts';
import {
  explainEvent,
  explainOperation,
  explainUser,
  explainWebhookEndpoint,
} from './explain-others.ts';
import { explainTopup, explainWithdrawal } from './explain-payment.ts';
import type { Explanation } from './explanation.ts';
import { findNamed } from './find-named.ts';

type Explainer = (holdfast: Holdfast, id: string) => Promise<Explanation>;

const EXPLAINERS: Readonly<Record<string, Explainer>> = {
  ord: explainOrder,
  dsp: explainDispute,
  topup: explainTopup,
  wd: explainWithdrawal,
  usr: explainUser,
  op: explainOperation,
  evt: explainEvent,
  whe: explainWebhookEndpoint,
  rec: explainRun,
  exc: explainException,
  key: explainKey,
};

/** An id of ours by its prefix; any other name by a search. */
export async function explain(holdfast: Holdfast, name: string): Promise<Explanation> {
  const canExplain = (id: string) => explainerOf(id) !== undefined;
  const id = canExplain(name) ? name : await findNamed(holdfast, name, canExplain);
  return (explainerOf(id) as Explainer)(holdfast, id);
}

function explainerOf(id: string): Explainer | undefined {
  const [prefix = ''] = id.split('_');
  const isOurs = Object.hasOwn(EXPLAINERS, prefix) && readId(prefix as Prefix, id) !== undefined;
  return isOurs ? EXPLAINERS[prefix] : undefined;
}
