//! One side of a dispute: who it is, what it claims, and what it has said since.
import { LENGTHS } from '@holdfast/contract/limits';
import { SUPPORT } from '@holdfast/contract/roles';
import type { Dispute, DisputeEvidence, DisputeParty, OrderParty } from '@holdfast/sdk';
import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { Actor } from '#parts/actor.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { Evidence } from '#screens/dispute/evidence.tsx';
import { saidInput } from '#screens/dispute/said-input.ts';

interface Props {
  readonly side: DisputeParty;
  readonly party: OrderParty;
  readonly dispute: Dispute;
  /** Of both sides, newest first. */
  readonly said: readonly DisputeEvidence[];
}

export function Side({ side, party, dispute, said }: Props) {
  const isOpener = dispute.openedBy === side;
  const own = said.filter((one) => one.party === side);
  return (
    <Panel title={wordsOf(side)} actions={<StateBadge state={party.status} />}>
      <Facts
        rows={[
          ['User', <IdLink key="id" id={party.userId} />],
          ['Your id', party.externalUserId],
          ['E-mail', party.email],
        ]}
      />
      <Stack gap="xs" mt="md">
        <Text size="sm" fw={600}>
          {isOpener
            ? `Claims: ${wordsOf(dispute.reason).toLowerCase()}`
            : 'Did not open the dispute'}
        </Text>
        {isOpener && <Evidence evidence={dispute.evidence ?? []} />}
        {own.toReversed().map((one) => (
          <SaidSince key={one.id} said={one} />
        ))}
        {!isOpener && own.length === 0 && (
          <Text size="sm" c="dimmed">
            Has said nothing yet.
          </Text>
        )}
        <AddSaid side={side} dispute={dispute} />
      </Stack>
    </Panel>
  );
}

function SaidSince({ said: { statement, evidence, addedBy, createdAt } }: SaidProps) {
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

interface SaidProps {
  readonly said: DisputeEvidence;
}

function AddSaid({ side, dispute }: Pick<Props, 'side' | 'dispute'>) {
  const holdfast = useHoldfast();
  const [statement, setStatement] = useState('');
  const [lines, setLines] = useState('');
  const input = saidInput(statement, lines);
  const who = side.toLowerCase();
  return (
    <ActionButton
      label="Add what this side says"
      isSmall
      roles={SUPPORT}
      whyNot={dispute.status === 'RESOLVED' ? 'It has been decided' : undefined}
      title={`What the ${who} says`}
      confirm="Add it"
      touches={['Dispute']}
      missing={typeof input === 'string' ? input : undefined}
      effect={`It is kept with the dispute as the ${who}’s words, with your name, and cannot be changed. No money moves. The marketplace is told by an event that something was added, not what.`}
      done="Added"
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
        description="An address or a text on each line"
        autosize
        minRows={2}
        value={lines}
        onChange={({ currentTarget }) => setLines(currentTarget.value)}
      />
    </ActionButton>
  );
}
