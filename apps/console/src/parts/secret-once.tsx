//! A secret that is shown once: copied now, or made anew.
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';

export interface ToldSecret {
  readonly what: string;
  /** Undefined when the first answer was lost on the way: a repeated one comes without it. */
  readonly secret: string | undefined;
  /** What helps then. */
  readonly ifLost: string;
}

export type Tell = (told: ToldSecret) => void;

/**
 * `tell` opens it; `shown` has to stand outside of whatever a key or a new answer may take away,
 * such as a drawer or a row.
 */
export function useSecretOnce() {
  const [told, setTold] = useState<ToldSecret>();
  const close = () => setTold(undefined);
  const { what = '', secret, ifLost } = told ?? {};
  const shown = (
    <>
      <SecretOnce secret={secret} what={what} close={close} />
      <Modal
        opened={told !== undefined && secret === undefined}
        onClose={close}
        title={what}
        size="lg"
      >
        <Stack>
          <Alert variant="light" color="orange" title="The secret is not here" role="status">
            It is done, but the answer with the secret was lost on the way. {ifLost}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={close}>Close</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
  return { tell: setTold as Tell, shown };
}

interface Props {
  /** Undefined while there is none to show. */
  readonly secret: string | undefined;
  readonly what: string;
  readonly close: () => void;
}

function SecretOnce({ secret, what, close }: Props) {
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
        <Code block className="hf-text" data-testid="secret">
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
