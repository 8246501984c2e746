//! A secret that is shown once: the operator copies it now or creates another.
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';

export interface IssuedSecret {
  readonly what: string;
  /** Undefined when the first response was lost: a repeated one comes without it. */
  readonly secret: string | undefined;
  /** What helps then. */
  readonly ifLost: string;
  /** What to do with it, if it is not to be stored. */
  readonly next?: string;
}

export type ShowSecret = (issued: IssuedSecret) => void;

/**
 * Render `shown` outside of drawers and rows: a key press or a new response may remove those, and
 * the secret with them.
 */
export function useSecretOnce() {
  const [issued, setIssued] = useState<IssuedSecret>();
  const close = () => setIssued(undefined);
  const { what = '', secret, ifLost, next } = issued ?? {};
  const shown = (
    <>
      <SecretOnce secret={secret} what={what} next={next} close={close} />
      <Modal
        opened={issued !== undefined && secret === undefined}
        onClose={close}
        title={what}
        size="lg"
      >
        <Stack>
          <Alert variant="light" color="orange" title="Secret not available" role="status">
            The action succeeded, but the response with the secret was lost. {ifLost}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={close}>Close</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
  return { showSecret: setIssued as ShowSecret, shown };
}

interface Props {
  /** Undefined while there is none to show. */
  readonly secret: string | undefined;
  readonly what: string;
  readonly next: string | undefined;
  readonly close: () => void;
}

const STORE = 'Copy the secret now and store it safely. Holdfast cannot show it again.';

function SecretOnce({ secret, what, next = STORE, close }: Props) {
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
          {next}
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
          <Button onClick={close}>Done</Button>
        </Group>
        <Text size="sm" c="dimmed">
          Closing this dialog removes it from the page.
        </Text>
      </Stack>
    </Modal>
  );
}
