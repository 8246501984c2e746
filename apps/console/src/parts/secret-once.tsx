//! A secret that is shown once: copied now, or made anew.
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';

interface Props {
  /** Undefined while there is none to show. */
  readonly secret: string | undefined;
  readonly what: string;
  readonly close: () => void;
}

export function SecretOnce({ secret, what, close }: Props) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={close}
      title={what}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert variant="light" color="orange" title="Shown once">
          Holdfast keeps only what it takes to check it. Copy it to where it is needed; it cannot be
          shown again.
        </Alert>
        <Code block data-testid="secret">
          {secret}
        </Code>
        <Group justify="space-between">
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={close}>I have it</Button>
        </Group>
        <Text size="sm" c="dimmed">
          This page forgets it when you close this.
        </Text>
      </Stack>
    </Modal>
  );
}
