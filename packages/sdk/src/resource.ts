//! What all resources share: the client that sends their calls.
import type { Client } from '#client';

export class Resource {
  /** @internal */
  protected readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }
}
