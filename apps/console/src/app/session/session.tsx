//! The session: the operator, the marketplace they work in, and the client for their calls.
import {
  Holdfast,
  type HoldfastSession,
  type OperatorRole,
  type OperatorSession,
} from '@holdfast/sdk';
import { createContext, useContext } from 'react';
import type { LiveStream } from '#app/live.ts';

export interface ConsoleSession {
  readonly session: OperatorSession;
  /** Empty for a platform admin who has a role in none: only what is about the platform is here. */
  readonly marketplaceId: string;
  readonly marketplaceName: string;
  readonly role: OperatorRole;
  readonly holdfast: Holdfast;
  readonly live: LiveStream;
  readonly environment: string;
  readonly version: string;
  readonly baseCurrency: string;
  /** Leads to its home page, or shows there what is shown here. */
  readonly switchTo: (marketplaceId: string, isStaying?: boolean) => void;
  readonly signOut: () => void;
}

const Context = createContext<ConsoleSession | undefined>(undefined);
export const SessionProvider = Context.Provider;

export function useSession(): ConsoleSession {
  const session = useContext(Context);
  if (session === undefined) throw new TypeError('no operator is signed in');
  return session;
}

/** The client of the signed-in operator; its calls carry cookie, marketplace and token. */
export function useHoldfast(): Holdfast {
  return useSession().holdfast;
}

/** Whether the role here is one of these. The server decides; this only spares a refusal. */
export function useMay(roles: readonly OperatorRole[]): boolean {
  return roles.includes(useSession().role);
}

/** A client without a marketplace: enough to sign in and to read the session. */
export function clientOf(session: HoldfastSession): Holdfast {
  return new Holdfast({ baseUrl: window.location.origin, session });
}

const REMEMBERED = 'holdfast.marketplace';

export function rememberedMarketplace(): string | undefined {
  return window.localStorage.getItem(REMEMBERED) ?? undefined;
}

export function rememberMarketplace(marketplaceId: string): void {
  window.localStorage.setItem(REMEMBERED, marketplaceId);
}
