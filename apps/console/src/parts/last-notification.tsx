//! The provider's last notification about a resource: its status, and a link to it.
import { Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Moment } from '#parts/moment.tsx';

export function LastNotification({ resourceId }: { readonly resourceId: string }) {
  const { data } = useRead('Inbox', ['last', resourceId], async (holdfast, signal) => {
    const notifications = holdfast.inbox.list({ resourceId, limit: 1 }, { signal });
    return (await notifications.first()) ?? null;
  });
  if (data === undefined) return null;
  if (data === null) return 'None yet';
  return (
    <Text inherit component="span" className="hf-prose">
      <Go to={`/inbox/${data.id}`} size="sm">
        {data.type}
      </Go>{' '}
      <Moment at={data.receivedAt} isShort />
    </Text>
  );
}
