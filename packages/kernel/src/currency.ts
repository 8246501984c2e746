//! The currencies that the books can hold. Each has two decimal places on the wire and in the
//! books.

export const CURRENCIES = {
  USD: { scale: 2, description: 'US dollars, backed one to one by USDC on the network' },
  USDC: { scale: 2, description: 'USD Coin on the network' },
  XLM: { scale: 2, description: "the network's native asset; can be held, not escrowed" },
} as const;

export type Currency = keyof typeof CURRENCIES;

export const CURRENCY_CODES = Object.keys(CURRENCIES) as readonly Currency[];

export function readCurrency(text: string): Currency | undefined {
  return Object.hasOwn(CURRENCIES, text) ? (text as Currency) : undefined;
}
