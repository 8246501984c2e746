//! What a story is played on: a marketplace, the pretend world around it, and somebody who watches.
import type { Holdfast, User } from '@holdfast/sdk';
import type { Sandbox } from './sandbox.ts';

export interface Stage {
  readonly holdfast: Holdfast;
  /** Whoever was called on stage, by name: nobody is asked for twice. */
  readonly people: Map<string, Promise<User>>;
  readonly sandbox: Sandbox;
  /** Of the order, top-up or withdrawal that the story is about. */
  readonly amount: string;
  /** Is told each step as it is done. */
  tell(step: string): void;
}

/** What a story has left behind. */
export interface Played {
  readonly id: string;
  readonly status: string;
}

export interface Scenario {
  readonly tells: string;
  /** Of what it is about, when nothing else is asked for. */
  readonly amount: string;
  play(stage: Stage): Promise<Played>;
}
