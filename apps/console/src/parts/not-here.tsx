//! The page for a resource that does not exist here, with links to find it elsewhere.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useSession } from '#app/session/session.tsx';
import { IdText } from '#parts/id-text.tsx';
import { errorWords } from '#parts/words/error-words.ts';

export function NotHere({ error }: { readonly error: unknown }) {
  const { title, code, requestId } = errorWords(error);
  return (
    <Stack className="hf-frame" align="center" gap="xs" p="xl" ta="center" role="alert">
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text c="dimmed" maw={520}>
        The link may be wrong, or the record belongs to another marketplace. Press Ctrl K (⌘K) and
        search by ID, reference, transaction hash, blockchain address or email address.
      </Text>
      <OpenElsewhere />
      <Group gap="md" justify="center">
        {code !== undefined && <IdText label="Code" text={code} />}
        {requestId !== undefined && <IdText label="Request" text={requestId} />}
      </Group>
    </Stack>
  );
}

/** The same address in another marketplace of the operator. */
function OpenElsewhere() {
  const { session, marketplaceId, switchTo } = useSession();
  const others = session.operator.memberships.filter((one) => one.marketplaceId !== marketplaceId);
  return (
    <Group gap="xs" justify="center">
      {others.map((one) => (
        <Button
          key={one.marketplaceId}
          size="compact-sm"
          variant="default"
          onClick={() => switchTo(one.marketplaceId, true)}
        >
          Open in {one.marketplaceName}
        </Button>
      ))}
    </Group>
  );
}
