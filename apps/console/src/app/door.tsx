//! The door: asks who is there, lets them sign in, and hands the session to everything inside.
import { isHoldfastError, type OperatorSession } from '@holdfast/sdk';
import { Button, Center, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { LiveStream } from '#app/live.ts';
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
  if (error) return <ErrorNote error={error} retry={() => void queryClient.refetchQueries()} />;
  if (data === undefined) return <Waiting />;
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

function Inside({ session }: { readonly session: OperatorSession }) {
  const { memberships } = session.operator;
  const [chosen, setChosen] = useState(rememberedMarketplace);
  const here = memberships.find((one) => one.marketplaceId === chosen) ?? memberships[0];
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

  const signOut = async () => {
    const ended = await holdfast.operators.signOut().result();
    // A session that is over already is as good as one that was ended.
    if (!ended.ok && !isHoldfastError(ended.error, 'UNAUTHORIZED')) throw ended.error;
    sessionHint.end();
    queryClient.clear();
    window.location.assign('/console/');
  };
  const switchTo = (id: string) => {
    rememberMarketplace(id);
    // Nothing of one marketplace is shown under the name of another.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'Session' });
    setChosen(id);
    void router.navigate({ to: '/' });
  };

  if (here === undefined) return <NoMarketplace signOut={signOut} />;
  if (error) return <ErrorNote error={error} />;
  if (config === undefined) return <Waiting />;
  const value: ConsoleSession = {
    session,
    marketplaceId: here.marketplaceId,
    marketplaceName: here.marketplaceName,
    role: here.role,
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
    </SessionProvider>
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
