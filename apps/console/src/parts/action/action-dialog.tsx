//! The dialog of every action: shows the effect, requires a reason, executes, and shows the
//! outcome.
import { LENGTHS } from '@holdfast/contract/limits';
import type { Outcome } from '@holdfast/sdk';
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import {
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { isDeep } from '#app/deep.ts';
import { Go } from '#app/go.tsx';
import type { Topic } from '#app/queries.ts';
import { ErrorAlert } from '#parts/error-alert.tsx';

export interface ActionProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly title: string;
  /** What it will do, to whom, with how much. */
  readonly effect: ReactNode;
  readonly confirm: string;
  readonly isIrreversible?: boolean;
  /** Fields of the action, above the reason. */
  readonly children?: ReactNode;
  /** Undefined when its fields are complete; otherwise what is missing. */
  readonly missing?: string | undefined;
  /** Topics to read anew afterwards, besides those that events report. */
  readonly touches?: readonly Topic[];
  /** Executes the action. A call that may need a second approver returns its `outcome()`. */
  readonly run: (reason: string) => Promise<unknown>;
  readonly done?: string;
  /** Where the reason goes further than the audit log. */
  readonly reasonHint?: string;
  /** Where a request that waits for a second approver is found. */
  readonly approvalsPath?: string;
}

export function ActionDialog(props: ActionProps) {
  const { isOpen, close, title } = props;
  return (
    <Modal opened={isOpen} onClose={close} title={title} size="lg">
      {isOpen && <ActionForm {...props} />}
    </Modal>
  );
}

function ActionForm(props: ActionProps) {
  const { close, effect, confirm, isIrreversible = false, children, missing } = props;
  const { reasonHint = 'Recorded in the audit log with your name' } = props;
  const [reason, setReason] = useState('');
  const { act, isBusy, error, approvalId } = useAct(props, reason);
  if (approvalId !== undefined) {
    const { approvalsPath = '/approvals?' } = props;
    return <ApprovalRequested to={`${approvalsPath}id=${approvalId}`} close={close} />;
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void act();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Alert variant="light" color={isIrreversible ? 'orange' : 'harbour'} title="Effect">
          <Text size="sm" component="div">
            {effect}
          </Text>
          {isIrreversible && (
            <Text size="sm" fw={650} mt={6}>
              This cannot be undone.
            </Text>
          )}
        </Alert>
        <Textarea
          label="Reason"
          description={reasonHint}
          required
          autosize
          minRows={2}
          maxLength={LENGTHS.reason}
          data-autofocus={children === undefined ? true : undefined}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {error !== undefined && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          {missing !== undefined && (
            <Text size="sm" c="dimmed">
              {missing}
            </Text>
          )}
          <Button variant="default" onClick={close}>
            Back
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={reason.trim() === '' || missing !== undefined}
            color={isIrreversible ? 'red.9' : undefined}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Runs once per press, and remembers how it ended. */
function useAct({ run, close, title, touches = [], done }: ActionProps, reason: string) {
  const readTouched = useReadTouched([...touches, 'Approval']);
  const onceClosed = useOnceClosed(readTouched);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [approvalId, setApprovalId] = useState<string>();
  const act = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      const outcome = await run(reason.trim());
      readTouched();
      if (isApprovalRequested(outcome)) return setApprovalId(outcome.approval.id);
      notifications.show({ message: done ?? `${title}: done`, color: 'teal' });
      close();
    } catch (failure) {
      setError(failure);
      onceClosed();
    } finally {
      setBusy(false);
    }
  };
  return { act, isBusy, error, approvalId };
}

function useReadTouched(topics: readonly Topic[]): () => void {
  const queries = useQueryClient();
  return () => {
    for (const topic of topics) {
      void queries.invalidateQueries({ queryKey: [topic], predicate: (one) => !isDeep(one) });
      // The operator sees the effect of an own action at once, even if a long list restarts at its
      // head.
      void queries.resetQueries({ queryKey: [topic], type: 'active', predicate: isDeep });
    }
  };
}

/**
 * A failed action may still have been executed, or half of it: data is read anew, but not under an
 * open dialog. The refreshed page might not show the action any more, and its error would be gone.
 */
function useOnceClosed(read: () => void): () => void {
  const readNow = useEffectEvent(read);
  const state = useRef({ isClosed: false, isOwed: false });
  useEffect(() => {
    const { current } = state;
    current.isClosed = false;
    return () => {
      current.isClosed = true;
      if (current.isOwed) readNow();
    };
  }, []);
  return () => {
    if (state.current.isClosed) return read();
    state.current.isOwed = true;
  };
}

function isApprovalRequested(
  outcome: unknown,
): outcome is Extract<Outcome<unknown>, { kind: 'approval-pending' }> {
  return (outcome as { kind?: unknown } | undefined)?.kind === 'approval-pending';
}

function ApprovalRequested({ to, close }: { readonly to: string; readonly close: () => void }) {
  return (
    <Stack>
      <Alert variant="light" color="harbour" title="Pending approval" role="status">
        No change has been made yet. The request will be executed as soon as another operator
        approves it.
      </Alert>
      <Group justify="flex-end">
        <Go to={to}>View request</Go>
        <Button onClick={close}>Close</Button>
      </Group>
    </Stack>
  );
}
