//! The decision: to the seller, to the buyer, or to both by a split that always sums.

import { canMove } from '@holdfast/contract/machine';
import { disputeMachine } from '@holdfast/contract/machines/dispute-machine';
import { SUPPORT } from '@holdfast/contract/roles';
import type {
  Decision,
  Dispute,
  OrderMoney,
  PreviewResolutionInput,
  ResolutionPreview,
} from '@holdfast/sdk';
import { Button, Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay } from '#app/session/session.tsx';
import { AboveLimit } from '#parts/action/above-limit.tsx';
import { ActionDialog } from '#parts/action/action-dialog.tsx';
import { centsOf, splitAt } from '#parts/money/cents.ts';
import { decisionInput } from '#screens/dispute/decision-input.ts';
import { Preview } from '#screens/dispute/preview.tsx';
import { SplitFields, type TypedPart } from '#screens/dispute/split-fields.tsx';

const DECISIONS: readonly { readonly value: Decision; readonly label: string }[] = [
  { value: 'FULL_RELEASE', label: 'Release' },
  { value: 'SPLIT', label: 'Split' },
  { value: 'FULL_REFUND', label: 'Refund' },
];
const PAUSE_MS = 250;

interface Props {
  readonly dispute: Dispute;
  readonly money: OrderMoney;
  /** A decision exists already, though nothing is paid yet: there is nothing to decide now. */
  readonly isHeld: boolean;
}

/** What the dialog confirms: a decision, and the preview of exactly that decision. */
interface Confirming {
  readonly input: PreviewResolutionInput;
  readonly preview: ResolutionPreview;
}

export function DecisionForm({ isHeld, ...facts }: Props) {
  const [confirming, setConfirming] = useState<Confirming>();
  // After deciding, the operator still reads the outcome in the dialog.
  if (isHeld && confirming === undefined) {
    return (
      <Text size="sm" c="dimmed">
        A decision is pending. If the decision is rejected or fails, you can decide again here.
      </Text>
    );
  }
  return <Form {...facts} confirming={confirming} setConfirming={setConfirming} />;
}

interface FormProps extends Omit<Props, 'isHeld'> {
  readonly confirming: Confirming | undefined;
  readonly setConfirming: (confirming: Confirming | undefined) => void;
}

function Form({ dispute, money, confirming, setConfirming }: FormProps) {
  const whole = centsOf(money.amount) ?? 0n;
  const [decision, setDecision] = useState<Decision>('SPLIT');
  const [split, setSplit] = useState(() => splitAt(whole, whole / 2n));
  const [typed, setTyped] = useState<TypedPart>();
  const isTyped = typed === undefined || centsOf(typed.text) !== undefined;
  const input = isTyped ? decisionInput(decision, split) : undefined;
  const { data, error, isSettled, isAwaited, awaitPreview } = usePreview(
    dispute.id,
    input,
    (preview) => input && setConfirming({ input, preview }),
  );
  const whyNot = useWhyNot(dispute) ?? missingOf(isTyped, input);
  return (
    <Stack>
      <SegmentedControl
        fullWidth
        aria-label="Decision"
        data={[...DECISIONS]}
        value={decision}
        onChange={(value) => {
          setDecision(value as Decision);
          setTyped(undefined);
        }}
      />
      {decision === 'SPLIT' && (
        <SplitFields
          whole={whole}
          split={split}
          typed={typed}
          currency={money.currency}
          onChange={(next, text) => {
            setSplit(next);
            setTyped(text);
          }}
        />
      )}
      <Preview preview={data} error={error} isOld={!isSettled} />
      <AboveLimit amount={money.amount} currency={money.currency} />
      <Group justify="flex-end">
        {whyNot !== undefined && (
          <Text size="sm" c="dimmed">
            {whyNot}
          </Text>
        )}
        {/* Not disabled while the preview is read: leaving a field would take the click away. */}
        <Button
          disabled={whyNot !== undefined || error !== null}
          aria-busy={input !== undefined && !isSettled}
          rightSection={isAwaited && <Loader size={14} color="currentColor" />}
          onClick={awaitPreview}
        >
          Resolve dispute…
        </Button>
      </Group>
      <Confirm
        dispute={dispute}
        input={confirming?.input}
        close={() => setConfirming(undefined)}
        effect={
          <>
            <Preview preview={confirming?.preview} error={null} />
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
  if (!mayDecide) return 'Requires the support or admin role.';
  if (!canMove(disputeMachine, status, 'resolve')) return 'Assign the dispute first.';
  return undefined;
}

function missingOf(isTyped: boolean, input: PreviewResolutionInput | undefined) {
  if (!isTyped) return 'Enter a valid amount for both sides.';
  return input === undefined
    ? 'Both sides must receive more than 0.00. To pay one side in full, choose Release or Refund.'
    : undefined;
}

/**
 * The service's preview of the decision. `awaitPreview` calls `open` with the preview of the
 * present amounts: at once, or when it is read. A change of the amounts cancels that.
 */
function usePreview(
  disputeId: string,
  input: PreviewResolutionInput | undefined,
  open: (preview: ResolutionPreview) => void,
) {
  const wanted = JSON.stringify(input) as string | undefined;
  const [awaited, setAwaited] = useState<string>();
  const [paused] = useDebouncedValue(wanted, PAUSE_MS);
  const debounced = awaited === wanted ? wanted : paused;
  // Neither of the dispute's topic nor read again on coming back to the page: once it is decided,
  // the service refuses a preview.
  const { data, error, isPlaceholderData } = useRead(
    'Config',
    ['preview', disputeId, debounced],
    (holdfast, signal) =>
      holdfast.disputes.previewResolution(
        disputeId,
        JSON.parse(debounced ?? '{}') as PreviewResolutionInput,
        { signal },
      ),
    { isEnabled: debounced !== undefined, isFixed: true, keepPrevious: true },
  );
  const isSettled = wanted !== undefined && wanted === debounced && !isPlaceholderData;
  const isAwaited = wanted !== undefined && wanted === awaited && error === null;
  const openWith = useEffectEvent(open);
  useEffect(() => {
    if (!isAwaited || !isSettled || data === undefined) return;
    setAwaited(undefined);
    openWith(data);
  }, [isAwaited, isSettled, data]);
  return { data, error, isSettled, isAwaited, awaitPreview: () => setAwaited(wanted) };
}

interface ConfirmProps {
  readonly dispute: Dispute;
  /** Undefined while there is nothing to confirm. */
  readonly input: PreviewResolutionInput | undefined;
  readonly close: () => void;
  readonly effect: React.ReactNode;
}

function Confirm({ dispute, input, close, effect }: ConfirmProps) {
  const holdfast = useHoldfast();
  return (
    <ActionDialog
      isOpen={input !== undefined}
      close={close}
      title={`Resolve dispute ${dispute.id}`}
      confirm="Resolve and pay out"
      isIrreversible
      touches={['Dispute', 'Order', 'Ledger', 'Home']}
      effect={effect}
      done="Dispute resolved"
      reasonHint="Recorded in the audit log with your name, and sent to the marketplace as the decision note"
      run={async (reason) => {
        if (input === undefined) return undefined;
        const decision = { ...input, note: reason };
        return await holdfast.disputes.resolve(dispute.id, decision, { reason }).outcome();
      }}
    />
  );
}
