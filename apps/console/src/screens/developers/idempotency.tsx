//! The idempotency inspector: where a key was used, what is kept under it, how often it came.
import type { IdempotencyKey } from '@holdfast/sdk';
import { Stack, TextInput } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { placeOf } from '#app/places.ts';
import { useRead } from '#app/read.ts';
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
        error={key !== '' && !isKey ? 'A key is a UUID of 36 characters' : undefined}
        onChange={({ currentTarget }) => change({ idempotencyKey: currentTarget.value.trim() })}
      />
      {isKey ? (
        <Found idempotencyKey={key} />
      ) : (
        <EmptyState title="What did this key do?">
          Paste an Idempotency-Key. You see which call it stood for, what is kept under it, and
          whether a repetition got the first answer.
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
          <EmptyState title="Nobody used this key">
            Not in this marketplace, or longer ago than requests are kept.
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
  return replays === 0 ? times : `${times}, ${replays} answered with what was kept`;
}

function Use({ use }: { readonly use: IdempotencyKey }) {
  const { kept } = use;
  const entry = kept?.entryId ?? null;
  return (
    <Panel title={`${use.method} ${use.path}`}>
      <Facts
        rows={[
          ['By', <Actor key="by" id={use.actorId} />],
          ['Came', timesWords(use)],
          ['First', <Moment key="first" at={use.firstSeenAt} />],
          ['Last', <Moment key="last" at={use.lastSeenAt} />],
          ['Last status', use.lastStatus],
          ['Kept', kept === null ? 'nothing (any more)' : <Moment key="kept" at={kept.keptAt} />],
          ['Kept status', kept?.status ?? null],
          ['Kept refusal', kept?.refusal ?? null],
          [
            'Entry that it made',
            <IdLink
              key="entry"
              id={entry}
              to={entry === null ? null : (placeOf('LedgerEntry', entry) ?? null)}
            />,
          ],
          [
            'Hash of the body',
            <span key="hash" className="hf-id">
              {kept?.requestHash ?? '–'}
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
