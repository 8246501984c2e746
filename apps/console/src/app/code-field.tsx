//! The six digits of now, to sign in and wherever an open session is not enough.
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
  label = 'Your code',
  description = 'From your own authenticator. Each works once: after signing in, wait for the next.',
}: Props) {
  // A form that is opened again needs another one.
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
  return CODE.test(code) ? undefined : 'Give your code of now';
}
