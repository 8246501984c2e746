//! One side of a dispute: the party, its claim, and its later statements.
import { LENGTHS } from '@holdfast/contract/limits';
import { SUPPORT } from '@holdfast/contract/roles';
import type { Dispute, DisputeEvidence, DisputeParty, OrderParty } from '@holdfast/sdk';
import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { Actor } from '#parts/actor.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { Evidence } from '#screens/dispute/evidence.tsx';
import { readStatementInput } from '#screens/dispute/statement-input.ts';

interface Props {
  readonly side: DisputeParty;
  readonly party: OrderParty;
  readonly dispute: Dispute;
  /** Of both sides, newest first. */
  readonly added: readonly DisputeEvidence[];
}

export function Side({ side, party, dispute, added }: Props) {
  const isOpener = dispute.openedBy === side;
  const own = added.filter((one) => one.party === side);
  return (
    <Panel title={wordsOf(side)} actions={<StateBadge state={party.status} />}>
      <Facts
        rows={[
          ['User', <IdLink key="id" id={party.userId} />],
          ['External ID', party.externalUserId],
          ['Email', party.email],
        ]}
      />
      <Stack gap="xs" mt="md">
        <Text size="sm" fw={600}>
          {isOpener ? `Claim: ${wordsOf(dispute.reason).toLowerCase()}` : 'Response'}
        </Text>
        {isOpener && <Evidence evidence={dispute.evidence ?? []} />}
        {own.toReversed().map((one) => (
          <AddedStatement key={one.id} added={one} />
        ))}
        {!isOpener && own.length === 0 && (
          <Text size="sm" c="dimmed">
            No statement yet.
          </Text>
        )}
        <AddStatement side={side} dispute={dispute} />
      </Stack>
    </Panel>
  );
}

function AddedStatement({ added: { statement, evidence, addedBy, createdAt } }: AddedProps) {
  return (
    <div>
      {statement !== null && (
        <Text size="sm" className="hf-text">
          {statement}
        </Text>
      )}
      {evidence.length > 0 && <Evidence evidence={evidence} />}
      <Text size="xs" c="dimmed" component="div">
        Added by <Actor id={addedBy} isBare /> · <Moment at={createdAt} />
      </Text>
    </div>
  );
}

interface AddedProps {
  readonly added: DisputeEvidence;
}

function AddStatement({ side, dispute }: Pick<Props, 'side' | 'dispute'>) {
  const holdfast = useHoldfast();
  const [statement, setStatement] = useState('');
  const [lines, setLines] = useState('');
  const input = readStatementInput(statement, lines);
  const who = side.toLowerCase();
  return (
    <ActionButton
      label="Add statement"
      isSmall
      roles={SUPPORT}
      whyNot={dispute.status === 'RESOLVED' ? 'The dispute is resolved' : undefined}
      title={`Add statement from the ${who}`}
      confirm="Add statement"
      touches={['Dispute']}
      missing={typeof input === 'string' ? input : undefined}
      effect={`Adds the statement on behalf of the ${who} and records your name. The statement cannot be changed later. No money moves. The marketplace receives an event that does not include the statement.`}
      done="Statement added"
      run={async (reason) => {
        if (typeof input === 'string') return;
        await holdfast.disputes.createEvidence(dispute.id, { party: side, ...input }, { reason });
        setStatement('');
        setLines('');
      }}
    >
      <Textarea
        label="Statement"
        autosize
        minRows={3}
        data-autofocus
        maxLength={LENGTHS.description}
        value={statement}
        onChange={({ currentTarget }) => setStatement(currentTarget.value)}
      />
      <Textarea
        label="Evidence"
        description="One link or text per line"
        autosize
        minRows={2}
        value={lines}
        onChange={({ currentTarget }) => setLines(currentTarget.value)}
      />
    </ActionButton>
  );
}
