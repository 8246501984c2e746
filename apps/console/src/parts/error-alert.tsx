//! An error: what happened, what to do, and the id of the request for support.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IdText } from '#parts/id-text.tsx';
import { errorWords } from '#parts/words/error-words.ts';

interface Props {
  readonly error: unknown;
  readonly retry?: () => void;
}

export function ErrorAlert({ error, retry }: Props) {
  const { title, advice, code, requestId } = errorWords(error);
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red"
      styles={{ title: { color: 'var(--hf-bad)' }, root: { borderColor: 'var(--hf-bad)' } }}
      title={title}
    >
      <Stack gap={6}>
        <Text size="sm">{advice}</Text>
        <Group gap="md">
          {code !== undefined && <IdText label="Code" text={code} />}
          {requestId !== undefined && <IdText label="Request" text={requestId} />}
        </Group>
        {retry && (
          <Group>
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
