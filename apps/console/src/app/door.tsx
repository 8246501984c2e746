//! The door: asks who is there, lets them sign in, and hands the session to everything inside.
import { type Holdfast, isHoldfastError, type OperatorSession } from '@holdfast/sdk';
import { Button, Center, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { watchAway } from '#app/away.ts';
import { LiveStream } from '#app/live.ts';
import { marketplaceIn, withMarketplace } from '#app/marketplace-word.ts';
import { CONSOLE } from '#app/places.ts';
import { queryClient, SESSION_KEY } from '#app/queries.ts';
import { router } from '#app/router.tsx';
import {
  type ConsoleSession,
  clientOf,
  rememberedMarketplace,
  rememberMarketplace,
  SessionProvider,
} from '#app/session.tsx';
import { sessionHint } from '#app/session-hint.ts';
import { SignIn } from '#app/sign-in.tsx';
import { parseSearch } from '#app/url-state.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { ErrorNote } from '#parts/error-note.tsx';

/** Null for nobody. */
async function readSession(): Promise<OperatorSession | null> {
  if (!sessionHint.isLikely()) return null;
  const answer = await clientOf({}).operators.getSession().result();
  if (answer.ok) {
    sessionHint.begin(answer.data.idleSeconds);
    return answer.data;
  }
  if (answer.error.status !== 401) throw answer.error;
  sessionHint.end();
  return null;
}

export function Door() {
  const { data, error } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (data === undefined) {
    // Once somebody is inside, a question that fails takes nothing away from under their eyes.
    if (!error) return <Waiting />;
    return <ErrorNote error={error} retry={() => void queryClient.refetchQueries()} />;
  }
  if (data === null) return <SignIn />;
  return <Inside session={data} />;
}

function Waiting() {
  return (
    <Center h="100vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}

/** By one's own wish, and by itself once nobody is there any more. */
function useWayOut(holdfast: Holdfast, { idleSeconds }: OperatorSession): () => Promise<void> {
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
      // Nothing stays on a screen that nobody looks at, also while the network is away.
      sessionHint.end();
      queryClient.clear();
      queryClient.setQueryData(SESSION_KEY, null);
    }
  });
  useEffect(() => watchAway(idleSeconds, () => void leave()), [idleSeconds]);
  return signOut;
}

function Inside({ session }: { readonly session: OperatorSession }) {
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

  const signOut = useWayOut(holdfast, session);
  const switchTo = (id: string, isStaying = false) => {
    rememberMarketplace(id);
    // Nothing of one marketplace is shown under the name of another.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'Session' });
    setChosen([id]);
    if (!isStaying) void router.navigate({ to: '/' });
  };

  const { isPlatformAdmin } = session.operator;
  if (isElsewhere(memberships)) return <Elsewhere />;
  if (here === undefined && !isPlatformAdmin) return <NoMarketplace signOut={signOut} />;
  if (config === undefined) return error ? <ErrorNote error={error} /> : <Waiting />;
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
      {memberships.length > 1 && <InAddress marketplaceId={value.marketplaceId} />}
    </SessionProvider>
  );
}

/** The address always tells which marketplace is shown, also after a step back. */
function InAddress({ marketplaceId }: { readonly marketplaceId: string }) {
  useEffect(() => {
    const tell = () => {
      const { searchStr } = router.state.location;
      if (marketplaceIn(searchStr) === marketplaceId) return;
      const search = withMarketplace(parseSearch(searchStr), marketplaceId);
      void router.navigate({ to: '.', search: search as never, replace: true });
    };
    tell();
    return router.subscribe('onResolved', tell);
  }, [marketplaceId]);
  return null;
}

/** Somebody shared a link to a marketplace in which its reader has no role. */
function isElsewhere(memberships: OperatorSession['operator']['memberships']): boolean {
  const named = marketplaceIn(window.location.search);
  return named !== undefined && memberships.every(({ marketplaceId }) => marketplaceId !== named);
}

function Elsewhere() {
  return (
    <Center h="100vh">
      <Stack align="center">
        <EmptyState title="This link leads to a marketplace that is not yours">
          Ask a platform admin for a role in it, then open the link again.
        </EmptyState>
        <Button variant="default" component="a" href={`${CONSOLE}/`}>
          Go to your own
        </Button>
      </Stack>
    </Center>
  );
}

function NoMarketplace({ signOut }: { readonly signOut: () => Promise<void> }) {
  return (
    <Center h="100vh">
      <Stack align="center">
        <EmptyState title="You belong to no marketplace yet">
          A platform admin gives you a role in one; then reload this page.
        </EmptyState>
        <Button variant="default" onClick={() => void signOut()}>
          Sign out
        </Button>
      </Stack>
    </Center>
  );
}
