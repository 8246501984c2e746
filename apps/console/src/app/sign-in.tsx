//! Signing in: an address, a password, and the six digits of now.
import { Button, Card, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { CodeField } from '#app/code-field.tsx';
import { queryClient, SESSION_KEY } from '#app/queries.ts';
import { clientOf } from '#app/session.tsx';
import { sessionHint } from '#app/session-hint.ts';
import { ErrorNote } from '#parts/error-note.tsx';

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
    const answer = await clientOf({}).operators.signIn({ email, password, totp }).result();
    setBusy(false);
    if (answer.ok) {
      sessionHint.begin(answer.data.idleSeconds);
      return queryClient.setQueryData(SESSION_KEY, answer.data);
    }
    setTotp('');
    return setError(answer.error);
  };

  return (
    <Center component="main" mih="100vh" p="md">
      <title>Sign in · Holdfast</title>
      <Card withBorder padding="xl" w={400} maw="100%">
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Title order={1} size="h3">
              Holdfast console
            </Title>
            <TextInput
              label="E-mail"
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
              label="Code"
              description="The six digits that your authenticator shows now"
              value={totp}
              change={setTotp}
            />
            {error !== undefined && <ErrorNote error={error} />}
            <Button type="submit" loading={isBusy}>
              Sign in
            </Button>
            <Text size="sm" c="dimmed">
              Operators are made by a platform admin. Every sign-in is in the audit log.
            </Text>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
