//! Splits an amount in two by percent, exactly: both parts sum to it.
import { Money } from '@holdfast/kernel/money';
import { usageFault } from '../command-fault.ts';

export function splitAmount(amount: string, percent: number): [string, string] {
  const money = Money.read(amount, 'USD');
  if (money === undefined)
    throw usageFault(`invalid amount ${amount}`, 'use an amount such as 120.00');
  const first = (money.minor * BigInt(percent)) / 100n;
  const parts = [first, money.minor - first].map((minor) => Money.ofMinor(minor, 'USD').text);
  return parts as [string, string];
}
