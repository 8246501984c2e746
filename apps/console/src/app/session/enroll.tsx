//! The page behind the link of an invitation: the person sets a password and two-factor
//! authentication, and sees the confirmation code. It needs no session.
import { LENGTHS } from '@holdfast/contract/limits';
import type { Enrolled, Enrollment } from '@holdfast/sdk';
import {
  Alert,
  Anchor,
  Button,
  Card,
  Center,
  Code,
  CopyButton,
  Group,
  Loader,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { CONSOLE } from '#app/routes.ts';
import { CodeField } from '#app/session/code-field.tsx';
import { clientOf } from '#app/session/session.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';

export function Enroll() {
  // After the #, which browsers send to no server.
  const [token] = useState(() => window.location.hash.slice(1));
  const [enrolled, setEnrolled] = useState<Enrolled>();
  const { data, error } = useQuery({
    queryKey: ['Enrollment'],
    queryFn: async () => await clientOf({}).operators.openInvitation({ token }),
    // Each call shows another secret, and only the last one counts.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const done = (result: Enrolled) => {
    window.history.replaceState(null, '', window.location.pathname);
    setEnrolled(result);
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <title>Set up your account · Holdfast</title>
      <Card withBorder padding="xl" w={520} maw="100%">
        {enrolled !== undefined ? (
          <Done enrolled={enrolled} />
        ) : data !== undefined ? (
          <Form token={token} enrollment={data} done={done} />
        ) : (
          <Page>{error ? <ErrorAlert error={error} /> : <Loader aria-label="Loading" />}</Page>
        )}
      </Card>
    </Center>
  );
}

function Page({ children }: { readonly children: ReactNode }) {
  return (
    <Stack>
      <Title order={1} size="h3">
        Set up your Holdfast account
      </Title>
      {children}
    </Stack>
  );
}

interface FormProps {
  readonly token: string;
  readonly enrollment: Enrollment;
  readonly done: (enrolled: Enrolled) => void;
}

function Form({ token, enrollment, done }: FormProps) {
  const { email, name } = enrollment;
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [totp, setTotp] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const differs = again !== '' && again !== password;

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (again !== password) return;
    setBusy(true);
    setError(undefined);
    const result = await clientOf({}).operators.enroll({ token, password, totp }).result();
    setBusy(false);
    if (result.ok) return done(result.data);
    setTotp('');
    return setError(result.error);
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Page>
        <Text size="sm">
          {name}, choose a password and connect an authenticator app. Do this yourself: no other
          person may know them.
        </Text>
        <TextInput label="Email" value={email} readOnly autoComplete="username" />
        <PasswordInput
          label="Password"
          description={`At least ${LENGTHS.operatorPassword} characters`}
          autoComplete="new-password"
          required
          minLength={LENGTHS.operatorPassword}
          maxLength={LENGTHS.password}
          data-autofocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          required
          maxLength={LENGTHS.password}
          error={differs ? 'The passwords do not match' : undefined}
          value={again}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
        />
        <Secret enrollment={enrollment} />
        <CodeField
          label="Two-factor code"
          description="6-digit code that your authenticator app shows for this secret"
          value={totp}
          change={setTotp}
        />
        {error !== undefined && <Refused error={error} />}
        <Button type="submit" loading={isBusy}>
          Set up account
        </Button>
      </Page>
    </form>
  );
}

/** A code that does not match has its own words: the person may have another secret in the app. */
function Refused({ error }: { readonly error: unknown }) {
  const { errors = [] } =
    (error as { details?: { errors?: { field: string; rule: string }[] } }).details ?? {};
  if (!errors.some(({ field, rule }) => field === 'totp' && rule === 'conflict'))
    return <ErrorAlert error={error} />;
  return (
    <Alert color="red" variant="light" title="The two-factor code does not match" role="alert">
      Enter the current code for the secret on this page. If the code is refused again, another
      person may have opened the link after you. Reload the page and add the new secret to your
      authenticator app.
    </Alert>
  );
}

function Secret({ enrollment: { totpSecret, totpUri } }: Pick<FormProps, 'enrollment'>) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={700}>
        Two-factor secret
      </Text>
      <Text size="xs" c="dimmed">
        Add it to your authenticator app as a setup key, or{' '}
        <Anchor href={totpUri} size="xs" underline="always">
          open it in an app on this device
        </Anchor>
        . Reloading this page creates another secret.
      </Text>
      <Group wrap="nowrap" align="center">
        <Code block className="hf-text" data-testid="secret" flex={1}>
          {totpSecret}
        </Code>
        <CopyButton value={totpSecret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}

function Done({ enrolled }: { readonly enrolled: Enrolled }) {
  return (
    <Stack>
      <Title order={1} size="h3">
        One step left
      </Title>
      <Text size="sm">
        Give this confirmation code to a platform admin, but not to the one who sent you the link.
        Do it in person or in a call. The admin activates your account with it, and you can sign in.
      </Text>
      <Code block className="hf-text" data-testid="confirmation-code" fz={28} ta="center">
        {enrolled.confirmationCode}
      </Code>
      <Text size="sm" c="dimmed">
        The code is shown only here. Keep this page open until the account is active.
      </Text>
      <Anchor href={`${CONSOLE}/`} size="sm">
        Go to sign-in
      </Anchor>
    </Stack>
  );
}
