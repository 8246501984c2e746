//! The idempotency inspector: where a key was used, its stored response, and its repeats.
import type { IdempotencyKey } from '@holdfast/sdk';
import { Stack, TextInput } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { routeOf } from '#app/routes.ts';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { RequestLink } from '#parts/request-link.tsx';

const KEY = /^[0-9a-fA-F-]{36}$/;

export function IdempotencyInspector() {
  const [state, change] = useUrlState();
  const key = state['idempotencyKey'] ?? '';
  const isKey = KEY.test(key);
  return (
    <Stack>
      <TextInput
        label="Idempotency-Key"
        placeholder="00000000-0000-4000-8000-000000000000"
        maw={480}
        value={key}
        error={key !== '' && !isKey ? 'Enter a UUID (36 characters)' : undefined}
        onChange={({ currentTarget }) => change({ idempotencyKey: currentTarget.value.trim() })}
      />
      {isKey ? (
        <Found idempotencyKey={key} />
      ) : (
        <EmptyState title="No key selected">
          Enter an Idempotency-Key to see its requests, the stored response, and whether a repeated
          request was replayed.
        </EmptyState>
      )}
    </Stack>
  );
}

function Found({ idempotencyKey: key }: { readonly idempotencyKey: string }) {
  const uses = useRead('RequestLog', ['idempotency', key], async (holdfast, signal) => {
    const { items } = await holdfast.idempotencyKeys.list({ key, limit: 100 }, { signal }).page();
    return items;
  });
  return (
    <Loaded of={uses}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState title="No requests found">
            Check the key. Either no request in this marketplace used it, or the requests are no
            longer stored.
          </EmptyState>
        ) : (
          found.map((use) => <Use key={`${use.method} ${use.path} ${use.actorId}`} use={use} />)
        )
      }
    </Loaded>
  );
}

function timesWords({ requests, replays }: IdempotencyKey): string {
  const times = requests === 1 ? 'once' : `${requests} times`;
  return replays === 0 ? times : `${times}, ${replays} replayed`;
}

function Use({ use }: { readonly use: IdempotencyKey }) {
  const { stored } = use;
  const entry = stored?.entryId ?? null;
  return (
    <Panel title={`${use.method} ${use.path}`}>
      <Facts
        rows={[
          ['Actor', <Actor key="by" id={use.actorId} />],
          ['Used', timesWords(use)],
          ['First request', <Moment key="first" at={use.firstSeenAt} />],
          ['Last request', <Moment key="last" at={use.lastSeenAt} />],
          ['Last status', use.lastStatus],
          [
            'Response stored',
            stored === null ? (
              'Not stored, or no longer available'
            ) : (
              <Moment key="stored" at={stored.storedAt} />
            ),
          ],
          ['Stored status', stored?.status ?? null],
          ['Stored error', stored?.refusal ?? null],
          [
            'Ledger entry',
            <IdLink
              key="entry"
              id={entry}
              to={entry === null ? null : (routeOf('LedgerEntry', entry) ?? null)}
            />,
          ],
          [
            'Request body hash',
            <span key="hash" className="hf-id">
              {stored?.requestHash ?? '–'}
            </span>,
          ],
          [
            'Requests',
            <Stack key="requests" gap={2}>
              {use.requestIds.map((id) => (
                <RequestLink key={id} id={id} />
              ))}
            </Stack>,
          ],
        ]}
      />
    </Panel>
  );
}
