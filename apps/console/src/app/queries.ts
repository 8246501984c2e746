//! The query cache: keeps data for a moment and reads it anew when an event says that it changed.
import { isHoldfastError } from '@holdfast/sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionHint } from '#app/session/session-hint.ts';

/** The first part of every key: the topic of the response, as events name it. */
export type Topic =
  | 'Approval'
  | 'Audit'
  | 'Config'
  | 'Dispute'
  | 'Event'
  | 'Home'
  | 'Inbox'
  | 'Key'
  | 'Lab'
  | 'Ledger'
  | 'Marketplace'
  | 'Operation'
  | 'Operator'
  | 'Order'
  | 'Reconciliation'
  | 'RequestLog'
  | 'Session'
  | 'Solvency'
  | 'System'
  | 'TopUp'
  | 'User'
  | 'WebhookEndpoint'
  | 'Withdrawal';

export const SESSION_KEY = ['Session'] as const;
const FRESH_MS = 5_000;
const UNAUTHORIZED = 401;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // The session has ended: what is shown is not to be trusted any more.
      const isOver = isHoldfastError(error) && error.status === UNAUTHORIZED;
      if (!isOver || query.queryKey[0] === 'Session') return;
      sessionHint.end();
      queryClient.setQueryData(SESSION_KEY, null);
    },
    onSuccess: () => sessionHint.prolong(),
  }),
  defaultOptions: {
    // The SDK repeats what may be repeated.
    queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
