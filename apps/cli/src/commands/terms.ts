//! `holdfast terms`: shows the terms of a marketplace and sets a new version of them.
import { FEE_PAYERS } from '@holdfast/contract/enums';
import type { MarketplaceTerms } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { moneyText, timeText } from '../terminal/words.ts';
import { does, type ProgramWorld, type Run } from './run.ts';
import { showRecord } from './show.ts';

interface NewTerms {
  readonly payinFee?: string;
  readonly onReversal?: string;
  readonly debtLimit?: string;
  readonly reason: string;
}

const ON_REVERSAL: Readonly<Record<string, boolean>> = { suspend: true, continue: false };

export function termsCommand(world: ProgramWorld, program: Command): void {
  const terms = program
    .command('terms')
    .description('show and set the terms of a marketplace (requires the master key)');
  const show = terms.command('show <mkt>').description('show the terms that apply now');
  does(world, show, async (run, _, marketplaceId) =>
    showTerms(run, await run.master().marketplaces.getTerms(marketplaceId)),
  );
  const set = terms
    .command('set <mkt>')
    .description('set a new version of the terms; what is left out stays')
    .option('--payin-fee <who>', "who pays the payment provider's fee: marketplace or user")
    .option('--on-reversal <what>', 'a user whose payment was reversed: suspend or continue')
    .option('--debt-limit <amount>', 'payouts stop when users owe more in all, such as 1000.00')
    .requiredOption('--reason <text>', 'why');
  does<NewTerms>(world, set, async (run, options, marketplaceId) => {
    const { payinFee, onReversal, debtLimit, reason } = options;
    const changes = {
      ...(payinFee !== undefined && { payinFee: payerOf(payinFee) }),
      ...(onReversal !== undefined && { suspendOnReversal: suspends(onReversal) }),
      ...(debtLimit !== undefined && { debtLimit }),
    };
    if (Object.keys(changes).length === 0)
      throw usageFault('name a term to set: --payin-fee, --on-reversal or --debt-limit');
    const input = { ...changes, reason };
    showTerms(run, await run.master().marketplaces.setTerms(marketplaceId, input));
  });
}

function payerOf(text: string): MarketplaceTerms['payinFee'] {
  const payer = FEE_PAYERS.find((each) => each === text.toUpperCase());
  if (payer !== undefined) return payer;
  throw usageFault(`${text} does not pay the fee: marketplace or user`);
}

function suspends(text: string): boolean {
  const isSuspended = Object.hasOwn(ON_REVERSAL, text) ? ON_REVERSAL[text] : undefined;
  if (isSuspended !== undefined) return isSuspended;
  throw usageFault(`${text} is not an effect of a reversal: suspend or continue`);
}

function showTerms(run: Run, terms: MarketplaceTerms): void {
  const { payinFee, suspendOnReversal, debtLimit, version, setAt, setBy, reason } = terms;
  showRecord(run, { ...terms, id: terms.marketplaceId }, [
    ['fee paid by', payinFee],
    ['on reversal', suspendOnReversal ? 'the user is suspended' : 'the user continues'],
    ['debt limit', moneyText(debtLimit, 'USD')],
    ['version', version === 0 ? '0, as none were set' : String(version)],
    ['set', setAt && timeText(setAt)],
    ['by', setBy],
    ['reason', reason],
  ]);
}
