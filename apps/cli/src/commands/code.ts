//! `holdfast code`: the two-factor code of an operator of `holdfast dev`, without an authenticator.
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { oneTimeCode } from '../dev/one-time-code.ts';
import type { LocalOperator } from '../local-operators.ts';
import { does, type ProgramWorld } from './run.ts';

export function codeCommand(world: ProgramWorld, program: Command): void {
  const command = program
    .command('code <operator>')
    .description(
      'print the two-factor code of an operator of `holdfast dev` (a console user), by first name, email or role',
    );
  does(world, command, async (run, _, name) => {
    const { terminal } = run;
    const { email, totpSecret } = findOperator(run.server().operators, name);
    const { code, validSeconds } = oneTimeCode(totpSecret, world.clock.now());
    if (terminal.isJson) return terminal.printJson({ email, code, validSeconds });
    terminal.print(code);
    terminal.printStderr(
      terminal.stderrStyle.dim(`  ${email}; valid for ${validSeconds} s; can be used once`),
    );
  });
}

/** By first name, email or role. */
function findOperator(operators: readonly LocalOperator[], name: string): LocalOperator {
  if (operators.length === 0)
    throw usageFault(
      'no operators found',
      'codes are available only for `holdfast dev`: start it in this folder',
    );
  const found = operators.find(({ email, role }) =>
    [email, firstName(email), role].includes(name.toLowerCase()),
  );
  if (found !== undefined) return found;
  const names = operators.map(({ email }) => firstName(email)).join(', ');
  throw usageFault(`unknown operator ${name}`, `operators: ${names}`);
}

export function firstName(email: string): string {
  return email.split('@')[0] ?? '';
}
