//! What the provider told last about something: its own word, and the notice it stood in.
import { Text } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { Moment } from '#parts/moment.tsx';

export function LastNotice({ resourceId }: { readonly resourceId: string }) {
  const { data } = useRead('Inbox', ['last', resourceId], async (holdfast, signal) => {
    const notices = holdfast.inbox.list({ resourceId, limit: 1 }, { signal });
    return (await notices.first()) ?? null;
  });
  if (data === undefined) return null;
  if (data === null) return 'nothing yet';
  return (
    <Text inherit component="span" className="hf-prose">
      <Go to={`/inbox/${data.id}`} size="sm">
        {data.type}
      </Go>{' '}
      <Moment at={data.receivedAt} isShort />
    </Text>
  );
}
