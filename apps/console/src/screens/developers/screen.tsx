//! Developers: API keys, the request log, and the idempotency inspector.
import { Tabs } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { IdempotencyInspector } from '#screens/developers/idempotency.tsx';
import { Keys } from '#screens/developers/keys.tsx';
import { Requests } from '#screens/developers/requests.tsx';

export function Screen() {
  const [state, change] = useUrlState();
  return (
    <>
      <ScreenHead
        title="Developers"
        note="API keys, requests and idempotency keys of this marketplace."
      />
      <Tabs
        value={state['tab'] ?? (state['request'] === undefined ? 'keys' : 'requests')}
        keepMounted={false}
        onChange={(tab) => change({ tab: tab ?? undefined, key: undefined, request: undefined })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="keys">API keys</Tabs.Tab>
          <Tabs.Tab value="requests">Request log</Tabs.Tab>
          <Tabs.Tab value="idempotency">Idempotency inspector</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="keys">
          <Keys />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <Requests />
        </Tabs.Panel>
        <Tabs.Panel value="idempotency">
          <IdempotencyInspector />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
