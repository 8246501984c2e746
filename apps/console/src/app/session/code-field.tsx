//! The field for a six-digit code: to sign in, and for actions that need more than a session.
import { TextInput } from '@mantine/core';
import { useEffect } from 'react';

const FORM = '[0-9]{6}';
const CODE = new RegExp(`^${FORM}$`);

interface Props {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly label?: string;
  readonly description?: string;
}

export function CodeField({
  value,
  change,
  label = 'Two-factor code',
  description = 'From your authenticator app. Each code works once: if you just used one, wait for the next.',
}: Props) {
  // A reopened form needs a new code.
  useEffect(() => () => change(''), [change]);
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern={FORM}
      maxLength={6}
      required
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value.replace(/\D/g, ''))}
    />
  );
}

/** Undefined for something that can be a code. */
export function missingCode(code: string): string | undefined {
  return CODE.test(code) ? undefined : 'Enter your current two-factor code';
}
