//! The decision: to the seller, to the buyer, or to both by a split that always sums.
import { SUPPORT } from '@holdfast/contract/roles';
import type { Decision, Dispute, OrderMoney, PreviewResolutionInput } from '@holdfast/sdk';
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay } from '#app/session.tsx';
import { AboveLimit } from '#parts/above-limit.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';
import { centsOf, splitAt } from '#parts/cents.ts';
import { decisionInput } from '#screens/dispute/decision-input.ts';
import { Preview } from '#screens/dispute/preview.tsx';
import { SplitFields } from '#screens/dispute/split-fields.tsx';

const DECISIONS: readonly { readonly value: Decision; readonly label: string }[] = [
  { value: 'FULL_RELEASE', label: 'To the seller' },
  { value: 'SPLIT', label: 'Split' },
  { value: 'FULL_REFUND', label: 'To the buyer' },
];
const PAUSE_MS = 250;

interface Props {
  readonly dispute: Dispute;
  readonly money: OrderMoney;
}

export function DecisionForm({ dispute, money }: Props) {
  const whole = centsOf(money.amount) ?? 0n;
  const [decision, setDecision] = useState<Decision>('SPLIT');
  const [split, setSplit] = useState(() => splitAt(whole, whole / 2n));
  const [isDeciding, setDeciding] = useState(false);
  const mayDecide = useMay(SUPPORT);
  const input = decisionInput(decision, split);
  const { data, error, isSettled } = usePreview(dispute.id, input);
  return (
    <Stack>
      <SegmentedControl
        fullWidth
        aria-label="Decision"
        data={[...DECISIONS]}
        value={decision}
        onChange={(value) => setDecision(value as Decision)}
      />
      {decision === 'SPLIT' && (
        <SplitFields whole={whole} split={split} currency={money.currency} onChange={setSplit} />
      )}
      <Preview preview={data} error={error} />
      <AboveLimit amount={money.amount} currency={money.currency} />
      <Group justify="flex-end">
        {!mayDecide && (
          <Text size="sm" c="dimmed">
            Only support and admin decide disputes here.
          </Text>
        )}
        <Button
          disabled={!mayDecide || data === undefined || !isSettled}
          onClick={() => setDeciding(true)}
        >
          Decide…
        </Button>
      </Group>
      <Confirm
        dispute={dispute}
        input={input}
        isOpen={isDeciding}
        close={() => setDeciding(false)}
        effect={
          <>
            <Preview preview={data} error={undefined} />
            <AboveLimit amount={money.amount} currency={money.currency} />
          </>
        }
      />
    </Stack>
  );
}

/** What the service says the decision would do. Not settled while the slider still moves. */
function usePreview(disputeId: string, input: PreviewResolutionInput | undefined) {
  const wanted = JSON.stringify(input);
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  // No event touches it: what was decided a moment ago would only be refused.
  const { data, error } = useRead(
    'Config',
    [disputeId, 'preview', asked],
    (holdfast, signal) =>
      holdfast.disputes.previewResolution(
        disputeId,
        JSON.parse(asked ?? '{}') as PreviewResolutionInput,
        { signal },
      ),
    { isEnabled: asked !== undefined },
  );
  return { data, error, isSettled: wanted !== undefined && wanted === asked };
}

interface ConfirmProps {
  readonly dispute: Dispute;
  readonly input: PreviewResolutionInput | undefined;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly effect: React.ReactNode;
}

function Confirm({ dispute, input, isOpen, close, effect }: ConfirmProps) {
  const holdfast = useHoldfast();
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title="Decide the dispute"
      confirm="Decide and pay out"
      isIrreversible
      missing={input === undefined ? 'A split gives both sides something.' : undefined}
      touches={['Dispute', 'Order', 'Ledger', 'Home']}
      effect={effect}
      done="Decided"
      run={async (reason) => {
        if (input === undefined) return undefined;
        const decision = { ...input, note: reason };
        return await holdfast.disputes.resolve(dispute.id, decision, { reason }).outcome();
      }}
    />
  );
}
