//! A client and the stand-in that it calls: a new pair for each test, one place to look at it.
import { Holdfast, type HoldfastOptions } from '#index';
import { type Answerer, type Seen, type StandIn, startStandIn } from './stand-in.ts';

export class ClientStage {
  #standIn: StandIn | undefined;

  /** A client of a service that gives these answers in turn. */
  async against(answers: readonly Answerer[], options: HoldfastOptions = {}): Promise<Holdfast> {
    this.#standIn = await startStandIn(...answers);
    return new Holdfast({ apiKey: 'key', baseUrl: this.#standIn.url, ...options });
  }

  get url(): string | undefined {
    return this.#standIn?.url;
  }

  get seen(): readonly Seen[] {
    return this.#standIn?.seen ?? [];
  }

  async stop(): Promise<void> {
    await this.#standIn?.stop();
  }
}
