//! The operator's open sessions, each with a way to end it.
import type { OpenSession } from '@holdfast/sdk';
import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '#app/read.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';

export function Sessions({ close }: { readonly close: () => void }) {
  const read = useRead('Operator', ['sessions'], (holdfast, signal) =>
    holdfast.operators.listSessions({ signal }),
  );
  return (
    <Modal opened onClose={close} title="Sessions" size="lg">
      <Stack>
        <Text size="sm">
          End a session that you do not recognize, then change your password. To end the session of
          this browser, sign out.
        </Text>
        <Loaded of={read}>
          {({ sessions }) => sessions.map((each) => <Row key={each.id} session={each} />)}
        </Loaded>
      </Stack>
    </Modal>
  );
}

function Row({ session }: { readonly session: OpenSession }) {
  const { isCurrent, address, userAgent, createdAt, lastSeenAt } = session;
  const { end, isBusy, error } = useEnd(session);
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" fw={600} lineClamp={2}>
            {userAgent === '' ? 'Unknown browser' : userAgent}
          </Text>
          <Text size="sm" c="dimmed">
            From {address}, signed in <Moment at={createdAt} />, last request{' '}
            <Moment at={lastSeenAt} />
          </Text>
        </div>
        {isCurrent ? (
          <Badge variant="light">This session</Badge>
        ) : (
          <Button size="xs" variant="default" loading={isBusy} onClick={() => void end()}>
            End session
          </Button>
        )}
      </Group>
      {error !== undefined && <ErrorAlert error={error} />}
    </Stack>
  );
}

function useEnd({ id }: OpenSession) {
  const holdfast = useHoldfast();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const end = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await holdfast.operators.endSession(id);
      await queries.invalidateQueries({ queryKey: ['Operator'] });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { end, isBusy, error };
}
