//! The actions on an order: the allowed ones, and why the others are disabled.
import { SUPPORT } from '@holdfast/contract/roles';
import type { AllowedAction, DisputeParty, DisputeReason, Order } from '@holdfast/sdk';
import { Button, Group, Select, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast, useMay } from '#app/session/session.tsx';
import { ActionDialog } from '#parts/action/action-dialog.tsx';
import { Facts } from '#parts/facts.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { plainWords } from '#parts/words/plain-words.ts';
import { MONEY_ACTIONS, MoneyDialog } from '#screens/order/money-actions.tsx';

/** What people may do; the rest is the marketplace's own service. */
const BY_HAND = ['release', 'refund', 'dispute', 'cancel'] as const;
type ByHand = (typeof BY_HAND)[number];
const LABELS: Readonly<Record<ByHand, string>> = {
  release: 'Release to seller',
  refund: 'Refund buyer',
  dispute: 'Open dispute',
  cancel: 'Cancel order',
};

/** Actions of the marketplace's own service. */
const API_LABELS: Readonly<Record<string, string>> = {
  reserve: 'Reserve funds',
  create_escrow: 'Create escrow',
  fund_escrow: 'Fund escrow',
  complete_milestone: 'Complete milestone',
};

function labelOf(action: string): string {
  return isByHand(action) ? LABELS[action] : (API_LABELS[action] ?? wordsOf(action));
}

export function OrderActions({ order }: { readonly order: Order }) {
  const [doing, setDoing] = useState<ByHand>();
  const maySupport = useMay(SUPPORT);
  const shown = order.allowedActions.filter((one) => isByHand(one.action));
  const rest = order.allowedActions.filter((one) => !isByHand(one.action));
  const close = () => setDoing(undefined);
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
        <Reasons title="Not available now" actions={shown.filter((one) => !one.allowed)} />
        <Reasons title="Marketplace API actions" actions={rest} />
      </SimpleGrid>
      {MONEY_ACTIONS.map((action) => (
        <MoneyDialog
          key={action.kind}
          action={action}
          order={order}
          isOpen={doing === action.kind}
          close={close}
        />
      ))}
      <OpenDispute order={order} isOpen={doing === 'dispute'} close={close} />
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
          labelOf(action),
          allowed ? 'Available' : plainWords(reason ?? 'Not available'),
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
  const why = mayDo ? reason && plainWords(reason) : 'Requires the support or admin role';
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
        {labelOf(action)}
      </Button>
    </Tooltip>
  );
}

interface DialogProps {
  readonly order: Order;
  readonly isOpen: boolean;
  readonly close: () => void;
}

const REASONS: readonly DisputeReason[] = ['NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER'];
const PARTIES: readonly DisputeParty[] = ['BUYER', 'SELLER'];

function OpenDispute({ order, isOpen, close }: DialogProps) {
  const holdfast = useHoldfast();
  const [openedBy, setOpenedBy] = useState<DisputeParty>('BUYER');
  const [why, setWhy] = useState<DisputeReason>('OTHER');
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title="Open dispute"
      confirm="Open dispute"
      done="Dispute opened"
      touches={['Order', 'Dispute', 'Home']}
      effect="No money moves. The funds stay in escrow until the dispute is resolved."
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
          label="Claim"
          allowDeselect={false}
          data={REASONS.map((value) => ({ value, label: wordsOf(value) }))}
          value={why}
          onChange={(value) => setWhy((value ?? 'OTHER') as DisputeReason)}
        />
      </Group>
    </ActionDialog>
  );
}
