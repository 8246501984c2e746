//! An attack: one finding of a penetration test, as a script that tries it from outside.
import type { Fault } from '../../../tools/planted/fault.ts';
import type { AttackWorld } from './world.ts';

/** How the operators of the deployment learn of an attempt. */
export type Evidence =
  /** An entry of the audit log with this action. */
  | { readonly kind: 'audit'; readonly action: string }
  /** A log line at the level of a warning or above. */
  | { readonly kind: 'alarm'; readonly text: string }
  /** There is no attempt to record, because… */
  | { readonly kind: 'none'; readonly because: string };

export interface Attack {
  /** The finding, and a word where it has several attacks; in lower case the file's name. */
  readonly id: string;
  /** The attempt, as a phrase: `rotate an expired key`. */
  readonly title: string;
  /** Runs in the check as well. */
  readonly isQuick?: true;
  /** Why it still succeeds. A run fails when an open attack no longer does. */
  readonly open?: string;
  readonly evidence: Evidence;
  /** Gives what the attacker gained; undefined if nothing. Throws if it could not be tried. */
  readonly run: (world: AttackWorld) => Promise<string | undefined>;
  /** Switches the fix off, so that the attack succeeds: `--without-fixes` proves that it can. */
  readonly withoutFix?: Pick<Fault, 'file' | 'find' | 'replace'>;
}

export const audited = (action: string): Evidence => ({ kind: 'audit', action });
export const alarmed = (text: string): Evidence => ({ kind: 'alarm', text });
export const unrecorded = (because: string): Evidence => ({ kind: 'none', because });
