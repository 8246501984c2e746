//! A client and the stand-in server that it calls: a new pair for each test.
import { Holdfast, type HoldfastOptions } from '#index';
import { type Responder, type Seen, type StandIn, startStandIn } from './stand-in.ts';

export class ClientFixture {
  #standIn: StandIn | undefined;

  /** A client of a service that gives these responses in turn. */
  async against(
    responders: readonly Responder[],
    options: HoldfastOptions = {},
  ): Promise<Holdfast> {
    this.#standIn = await startStandIn(...responders);
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
