//! What can be done with an order now, and why the rest cannot.
import { SUPPORT } from '@holdfast/contract/roles';
import type { AllowedAction, DisputeParty, DisputeReason, Order } from '@holdfast/sdk';
import { Button, Group, Select, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast, useMay } from '#app/session.tsx';
import { AboveLimit } from '#parts/above-limit.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';
import { Amount } from '#parts/amount.tsx';
import { centsOf, textOf } from '#parts/cents.ts';
import { Facts } from '#parts/facts.tsx';
import { plainWords } from '#parts/plain-words.ts';
import { wordsOf } from '#parts/state-badge.tsx';

/** What people may do; the rest is the marketplace's own service. */
const BY_HAND = ['release', 'refund', 'dispute', 'cancel'] as const;
type ByHand = (typeof BY_HAND)[number];

export function OrderActions({ order }: { readonly order: Order }) {
  const [doing, setDoing] = useState<ByHand>();
  const maySupport = useMay(SUPPORT);
  const shown = order.allowedActions.filter((one) => isByHand(one.action));
  const rest = order.allowedActions.filter((one) => !isByHand(one.action));
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {shown.map((one) => (
          <ActionButton
            key={one.action}
            one={one}
            mayDo={maySupport}
            start={() => setDoing(one.action as ByHand)}
          />
        ))}
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Reasons title="Why not now" actions={shown.filter((one) => !one.allowed)} />
        <Reasons title="By the marketplace’s own service" actions={rest} />
      </SimpleGrid>
      <Money order={order} kind={doing} close={() => setDoing(undefined)} />
      <OpenDispute order={order} isOpen={doing === 'dispute'} close={() => setDoing(undefined)} />
    </Stack>
  );
}

interface ReasonsProps {
  readonly title: string;
  readonly actions: readonly AllowedAction[];
}

function Reasons({ title, actions }: ReasonsProps) {
  if (actions.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <Facts
        rows={actions.map(({ action, allowed, reason }) => [
          wordsOf(action),
          allowed ? 'Open to it now' : plainWords(reason ?? 'Not now'),
        ])}
      />
    </div>
  );
}

function isByHand(action: string): action is ByHand {
  return (BY_HAND as readonly string[]).includes(action);
}

interface ButtonProps {
  readonly one: AllowedAction;
  readonly mayDo: boolean;
  readonly start: () => void;
}

function ActionButton({ one: { action, allowed, reason }, mayDo, start }: ButtonProps) {
  const why = mayDo ? reason && plainWords(reason) : 'Only support and admin may do this here.';
  const isOff = !allowed || !mayDo;
  return (
    <Tooltip label={why} disabled={!isOff || why === null} multiline maw={320}>
      <Button
        variant={action === 'release' ? 'filled' : 'default'}
        // A disabled button says nothing to the keyboard: this one can be reached and explains.
        data-disabled={isOff || undefined}
        aria-disabled={isOff}
        onClick={(event) => (isOff ? event.preventDefault() : start())}
      >
        {wordsOf(action)}
      </Button>
    </Tooltip>
  );
}

interface DialogProps {
  readonly order: Order;
  readonly close: () => void;
}

function Money({ order, kind, close }: DialogProps & { readonly kind: ByHand | undefined }) {
  const holdfast = useHoldfast();
  const { id, amount, currency, fee } = order;
  const net = textOf((centsOf(amount) ?? 0n) - (centsOf(fee) ?? 0n));
  const sum = <Amount amount={amount} currency={currency} isStrong />;
  return (
    <>
      <ActionDialog
        isOpen={kind === 'release'}
        close={close}
        title="Release to the seller"
        isIrreversible
        confirm="Release"
        touches={['Order', 'Ledger', 'Home']}
        effect={
          <>
            Pays {sum} out of escrow: <Amount amount={net} currency={currency} isStrong /> to the
            seller, and the fee of <Amount amount={fee} currency={currency} /> to the marketplace.
            Closes the order.
            <AboveLimit amount={amount} currency={currency} />
          </>
        }
        run={(reason) => holdfast.orders.release(id, { reason }, { reason }).outcome()}
      />
      <ActionDialog
        isOpen={kind === 'refund'}
        close={close}
        title="Refund the buyer"
        isIrreversible
        confirm="Refund"
        touches={['Order', 'Ledger', 'Home']}
        effect={
          <>
            Pays {sum} out of escrow back to the buyer and closes the order.
            <AboveLimit amount={amount} currency={currency} />
          </>
        }
        run={(reason) => holdfast.orders.refund(id, { reason }, { reason }).outcome()}
      />
      <ActionDialog
        isOpen={kind === 'cancel'}
        close={close}
        title="Cancel the order"
        isIrreversible
        confirm="Cancel the order"
        touches={['Order', 'Ledger', 'Home']}
        effect="Gives the order up. What was set aside becomes available to the buyer again."
        run={(reason) => holdfast.orders.cancel(id, { reason }, { reason })}
      />
    </>
  );
}

const REASONS: readonly DisputeReason[] = ['NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER'];
const PARTIES: readonly DisputeParty[] = ['BUYER', 'SELLER'];

function OpenDispute({ order, isOpen, close }: DialogProps & { readonly isOpen: boolean }) {
  const holdfast = useHoldfast();
  const [openedBy, setOpenedBy] = useState<DisputeParty>('BUYER');
  const [why, setWhy] = useState<DisputeReason>('OTHER');
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title="Open a dispute"
      confirm="Open the dispute"
      touches={['Order', 'Dispute', 'Home']}
      effect="No money moves. It stays in escrow until the dispute is decided."
      run={(reason) => holdfast.orders.openDispute(order.id, { openedBy, reason: why }, { reason })}
    >
      <Group grow>
        <Select
          label="On behalf of"
          allowDeselect={false}
          data={PARTIES.map((value) => ({ value, label: wordsOf(value) }))}
          value={openedBy}
          onChange={(value) => setOpenedBy((value ?? 'BUYER') as DisputeParty)}
        />
        <Select
          label="What is wrong"
          allowDeselect={false}
          data={REASONS.map((value) => ({ value, label: wordsOf(value) }))}
          value={why}
          onChange={(value) => setWhy((value ?? 'OTHER') as DisputeReason)}
        />
      </Group>
    </ActionDialog>
  );
}
