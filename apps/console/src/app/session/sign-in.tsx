//! The sign-in form: email address, password, and six-digit code.
import { Button, Card, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { queryClient, SESSION_KEY } from '#app/queries.ts';
import { CodeField } from '#app/session/code-field.tsx';
import { clientOf } from '#app/session/session.tsx';
import { sessionHint } from '#app/session/session-hint.ts';
import { ErrorAlert } from '#parts/error-alert.tsx';

export function SignIn() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    const result = await clientOf({}).operators.signIn({ email, password, totp }).result();
    setBusy(false);
    if (result.ok) {
      sessionHint.start(result.data.idleSeconds);
      return queryClient.setQueryData(SESSION_KEY, result.data);
    }
    setTotp('');
    return setError(result.error);
  };

  return (
    <Center component="main" mih="100vh" p="md">
      <title>Sign in · Holdfast</title>
      <Card withBorder padding="xl" w={400} maw="100%">
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Title order={1} size="h3">
              Sign in to Holdfast
            </Title>
            <TextInput
              label="Email"
              type="email"
              autoComplete="username"
              required
              data-autofocus
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <CodeField
              label="Two-factor code"
              description="6-digit code from your authenticator app"
              value={totp}
              change={setTotp}
            />
            {error !== undefined && <ErrorAlert error={error} />}
            <Button type="submit" loading={isBusy}>
              Sign in
            </Button>
            <Text size="sm" c="dimmed">
              No account, a forgotten password or a lost phone? Ask a platform admin for a link.
              Sign-ins are recorded in the audit log.
            </Text>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
