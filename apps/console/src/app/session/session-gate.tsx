//! The session gate: reads the session, shows the sign-in form, and provides the session to the
//! app.
import { type Holdfast, isHoldfastError, type OperatorSession } from '@holdfast/sdk';
import { Anchor, Button, Center, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { LiveStream } from '#app/live.ts';
import { marketplaceIn, withMarketplace } from '#app/marketplace-word.ts';
import { queryClient, SESSION_KEY } from '#app/queries.ts';
import { router } from '#app/router.tsx';
import { CONSOLE } from '#app/routes.ts';
import { watchAway } from '#app/session/away.ts';
import {
  type ConsoleSession,
  clientOf,
  rememberedMarketplace,
  rememberMarketplace,
  SessionProvider,
} from '#app/session/session.tsx';
import { sessionHint } from '#app/session/session-hint.ts';
import { SignIn } from '#app/session/sign-in.tsx';
import { parseSearch } from '#app/url-state.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';

/** Null when no operator is signed in. */
async function readSession(): Promise<OperatorSession | null> {
  if (!sessionHint.isLikely()) return null;
  const result = await clientOf({}).operators.getSession().result();
  if (result.ok) {
    sessionHint.start(result.data.idleSeconds);
    return result.data;
  }
  if (result.error.status !== 401) throw result.error;
  sessionHint.end();
  return null;
}

export function SessionGate() {
  const { data, error } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (data === undefined) {
    // While an operator is signed in, a failed read of the session removes nothing from the page.
    if (!error) return <Waiting />;
    return <ErrorAlert error={error} retry={() => void queryClient.refetchQueries()} />;
  }
  if (data === null) return <SignIn />;
  return <SignedIn session={data} />;
}

function Waiting() {
  return (
    <Center h="100vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}

/** On request, and automatically once the operator has left. */
function useSignOut(holdfast: Holdfast, { idleSeconds }: OperatorSession): () => Promise<void> {
  const signOut = async () => {
    const ended = await holdfast.operators.signOut().result();
    // A session that is over already is as good as one that was ended.
    if (!ended.ok && !isHoldfastError(ended.error, 'UNAUTHORIZED')) throw ended.error;
    sessionHint.end();
    queryClient.clear();
    window.location.assign(`${CONSOLE}/`);
  };
  const leave = useEffectEvent(async () => {
    try {
      await signOut();
    } catch {
      // An unattended screen is cleared, also while the network is down.
      sessionHint.end();
      queryClient.clear();
      queryClient.setQueryData(SESSION_KEY, null);
    }
  });
  useEffect(() => watchAway(idleSeconds, () => void leave()), [idleSeconds]);
  return signOut;
}

function SignedIn({ session }: { readonly session: OperatorSession }) {
  const { memberships } = session.operator;
  const [chosen, setChosen] = useState(() => [
    marketplaceIn(window.location.search),
    rememberedMarketplace(),
  ]);
  const mine = chosen.map((id) => memberships.find((one) => one.marketplaceId === id));
  const here = mine.find((one) => one !== undefined) ?? memberships[0];
  const marketplaceId = here?.marketplaceId;
  const { csrfToken } = session;
  const { holdfast, live } = useMemo(
    () => ({ holdfast: clientOf({ marketplaceId, csrfToken }), live: new LiveStream() }),
    [marketplaceId, csrfToken],
  );
  useEffect(() => {
    if (marketplaceId === undefined) return;
    const ending = new AbortController();
    void live.start(holdfast, ending.signal);
    return () => ending.abort();
  }, [live, holdfast, marketplaceId]);
  const { data: config, error } = useQuery({
    queryKey: ['Config', marketplaceId],
    queryFn: async () => await holdfast.config.get(),
    staleTime: Number.POSITIVE_INFINITY,
  });

  const signOut = useSignOut(holdfast, session);
  const switchTo = (id: string, isStaying = false) => {
    rememberMarketplace(id);
    // Nothing of one marketplace is shown under the name of another.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'Session' });
    setChosen([id]);
    if (!isStaying) void router.navigate({ to: '/' });
  };

  const { isPlatformAdmin } = session.operator;
  if (isElsewhere(memberships)) return <Elsewhere isPlatformAdmin={isPlatformAdmin} />;
  if (here === undefined && !isPlatformAdmin) return <NoMarketplace signOut={signOut} />;
  if (config === undefined) return error ? <ErrorAlert error={error} /> : <Waiting />;
  const value: ConsoleSession = {
    session,
    marketplaceId: here?.marketplaceId ?? '',
    marketplaceName: here?.marketplaceName ?? 'No marketplace',
    role: here?.role ?? 'viewer',
    holdfast,
    live,
    environment: config.environment,
    version: config.version,
    baseCurrency: config.baseCurrency,
    switchTo,
    signOut: () => void signOut(),
  };
  return (
    <SessionProvider value={value}>
      <RouterProvider router={router} />
      {memberships.length > 1 && <MarketplaceInUrl marketplaceId={value.marketplaceId} />}
    </SessionProvider>
  );
}

/** The address always names the shown marketplace, also after a step back. */
function MarketplaceInUrl({ marketplaceId }: { readonly marketplaceId: string }) {
  useEffect(() => {
    const updateAddress = () => {
      const { searchStr } = router.state.location;
      if (marketplaceIn(searchStr) === marketplaceId) return;
      const search = withMarketplace(parseSearch(searchStr), marketplaceId);
      void router.navigate({ to: '.', search: search as never, replace: true });
    };
    updateAddress();
    return router.subscribe('onResolved', updateAddress);
  }, [marketplaceId]);
  return null;
}

/** The link names a marketplace in which its reader has no role. */
function isElsewhere(memberships: OperatorSession['operator']['memberships']): boolean {
  const named = marketplaceIn(window.location.search);
  return named !== undefined && memberships.every(({ marketplaceId }) => marketplaceId !== named);
}

function Elsewhere({ isPlatformAdmin }: { readonly isPlatformAdmin: boolean }) {
  return (
    <Center h="100vh">
      <Stack align="center">
        <EmptyState title="You do not have a role in this marketplace">
          {isPlatformAdmin ? (
            <>
              Open{' '}
              <Anchor href={`${CONSOLE}/operators`} underline="always">
                Operators
              </Anchor>{' '}
              to assign yourself a role, then open the link again.
            </>
          ) : (
            'Ask a platform admin for a role in the linked marketplace, then open the link again.'
          )}
        </EmptyState>
        <Button variant="default" component="a" href={`${CONSOLE}/`}>
          Go to your marketplace
        </Button>
      </Stack>
    </Center>
  );
}

function NoMarketplace({ signOut }: { readonly signOut: () => Promise<void> }) {
  return (
    <Center h="100vh">
      <Stack align="center">
        <EmptyState title="You do not have a role in any marketplace yet">
          Ask a platform admin to assign you a role, then reload this page.
        </EmptyState>
        <Button variant="default" onClick={() => void signOut()}>
          Sign out
        </Button>
      </Stack>
    </Center>
  );
}
