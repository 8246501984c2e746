//! Notes among operators on a dispute; the parties never see them.
import { LENGTHS } from '@holdfast/contract/limits';
import { SUPPORT } from '@holdfast/contract/roles';
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay } from '#app/session/session.tsx';
import { Actor } from '#parts/actor.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';

/** The audit log requires a reason; the content is in the note itself. */
const WHY = 'Internal note on the dispute';

export function Notes({ disputeId }: { readonly disputeId: string }) {
  const reading = useRead('Dispute', [disputeId, 'notes'], (holdfast, signal) =>
    holdfast.disputes.listNotes(disputeId, { limit: 50 }, { signal }).page(),
  );
  return (
    <Stack>
      <Loaded of={reading}>
        {({ items }) => (
          <Stack gap="sm">
            {items.length === 0 && (
              <Text size="sm" c="dimmed">
                No notes yet. Add a note for the other operators on this dispute.
              </Text>
            )}
            {items.map(({ id, text, writtenBy, createdAt }) => (
              <div key={id}>
                <Text size="sm" className="hf-text">
                  {text}
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  <Actor id={writtenBy} isBare /> · <Moment at={createdAt} />
                </Text>
              </div>
            ))}
          </Stack>
        )}
      </Loaded>
      <NewNote disputeId={disputeId} />
    </Stack>
  );
}

function NewNote({ disputeId }: { readonly disputeId: string }) {
  const holdfast = useHoldfast();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const mayWrite = useMay(SUPPORT);
  if (!mayWrite) return null;
  const write = async () => {
    setBusy(true);
    setError(undefined);
    const input = { text: text.trim() };
    const result = await holdfast.disputes.createNote(disputeId, input, { reason: WHY }).result();
    setBusy(false);
    if (!result.ok) return setError(result.error);
    setText('');
    await queries.invalidateQueries({ queryKey: ['Dispute'] });
  };
  return (
    <>
      <Textarea
        label="New note"
        autosize
        minRows={2}
        maxLength={LENGTHS.description}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {error !== undefined && <ErrorAlert error={error} />}
      <Button
        variant="default"
        loading={isBusy}
        disabled={text.trim() === ''}
        onClick={() => void write()}
      >
        Add note
      </Button>
    </>
  );
}
