//! The decision: to the seller, to the buyer, or to both by a split that always sums.
import { disputeMachine } from '@holdfast/contract/dispute-machine';
import { canMove } from '@holdfast/contract/machine';
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
  /** Somebody has decided already, though nothing is paid yet: there is nothing to decide now. */
  readonly isHeld: boolean;
}

export function DecisionForm({ isHeld, ...facts }: Props) {
  const [isDeciding, setDeciding] = useState(false);
  // Whoever has just decided still reads in the dialog what became of it.
  if (isHeld && !isDeciding) {
    return (
      <Text size="sm" c="dimmed">
        A decision has been made and waits. It can be decided anew if that one comes to nothing.
      </Text>
    );
  }
  return <Form {...facts} isDeciding={isDeciding} setDeciding={setDeciding} />;
}

interface FormProps extends Omit<Props, 'isHeld'> {
  readonly isDeciding: boolean;
  readonly setDeciding: (isDeciding: boolean) => void;
}

function Form({ dispute, money, isDeciding, setDeciding }: FormProps) {
  const whole = centsOf(money.amount) ?? 0n;
  const [decision, setDecision] = useState<Decision>('SPLIT');
  const [split, setSplit] = useState(() => splitAt(whole, whole / 2n));
  const whyNot = useWhyNot(dispute);
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
        {whyNot !== undefined && (
          <Text size="sm" c="dimmed">
            {whyNot}
          </Text>
        )}
        <Button
          disabled={whyNot !== undefined || data === undefined || !isSettled}
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

/** Of the facts that deciding is refused for, the first. */
function useWhyNot({ status }: Dispute): string | undefined {
  const mayDecide = useMay(SUPPORT);
  if (!mayDecide) return 'Only support and admin decide disputes here.';
  if (!canMove(disputeMachine, status, 'resolve'))
    return 'Assign it first: nobody has taken it up yet.';
  return undefined;
}

/** What the service says the decision would do. Not settled while the slider still moves. */
function usePreview(disputeId: string, input: PreviewResolutionInput | undefined) {
  const wanted = JSON.stringify(input);
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  // Neither of the dispute's topic nor asked again on coming back to the page: once it is decided,
  // that would be refused.
  const { data, error } = useRead(
    'Config',
    ['preview', disputeId, asked],
    (holdfast, signal) =>
      holdfast.disputes.previewResolution(
        disputeId,
        JSON.parse(asked ?? '{}') as PreviewResolutionInput,
        { signal },
      ),
    { isEnabled: asked !== undefined, isFixed: true },
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
      title={`Decide the dispute ${dispute.id}`}
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
