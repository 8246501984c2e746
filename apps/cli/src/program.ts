//! The program `holdfast`: all commands, built without doing anything, so that help, completion and
//! documents can be read off it.
import { Command, Option } from 'commander';
import { usageFault } from './command-fault.ts';
import { completionCommand } from './commands/completion.ts';
import { disputesCommand } from './commands/disputes.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { explainCommand } from './commands/explain.ts';
import { keysCommand } from './commands/keys.ts';
import { listenCommand } from './commands/listen.ts';
import { openCommand } from './commands/open.ts';
import { ordersCommand } from './commands/orders.ts';
import { topupsCommand, withdrawalsCommand } from './commands/payments.ts';
import { reconCommand } from './commands/recon.ts';
import type { GlobalOptions, ProgramWorld } from './commands/run.ts';
import { clockCommand, faultCommand } from './commands/sandbox.ts';
import { triggerCommand } from './commands/trigger.ts';
import { usersCommand } from './commands/users.ts';
import { verifyCommand } from './commands/verify.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { devCommand } from './dev.ts';
import { exitLines } from './exit-codes.ts';
import { roleCommands } from './roles.ts';
import { faultJson, faultLines } from './terminal/failure.ts';
import { type Style, styleFor } from './terminal/style.ts';
import { VERSION } from './version.ts';

/** In help each group has its head, in this order. */
const GROUPS = {
  start: 'Start here:',
  work: 'Work with a marketplace:',
  test: 'Try things out (sandbox):',
  prove: 'Look and prove:',
  run: 'Run a server:',
} as const;

type Add = (world: ProgramWorld, program: Command) => void;

const COMMANDS: Readonly<Record<keyof typeof GROUPS, readonly Add[]>> = {
  start: [
    (_, program) => void program.addCommand(devCommand()),
    listenCommand,
    triggerCommand,
    explainCommand,
    doctorCommand,
  ],
  work: [
    ordersCommand,
    usersCommand,
    disputesCommand,
    topupsCommand,
    withdrawalsCommand,
    webhooksCommand,
    eventsCommand,
    keysCommand,
  ],
  test: [clockCommand, faultCommand],
  prove: [verifyCommand, reconCommand, openCommand, completionCommand],
  run: roleCommands().map((role) => (_world: ProgramWorld, program: Command) => {
    program.addCommand(role);
  }),
};

const AFTER = `
Where the server is: --url and --api-key, else HOLDFAST_URL and HOLDFAST_API_KEY, else the
\`holdfast dev\` that runs in this folder or in one above it. HOLDFAST_MASTER_KEY for keys.

Exit codes:
${exitLines().join('\n')}`;

export function buildProgram(world: ProgramWorld): Command {
  const program = new Command('holdfast')
    .description('Escrow and balances for marketplaces.')
    .version(VERSION, '-V, --version', 'print the version')
    .addOption(new Option('--url <url>', 'where the server is'))
    .addOption(new Option('--api-key <key>', 'the key of a marketplace'))
    .addOption(new Option('--json', 'results as JSON: one value, or one on each line of a stream'))
    .addHelpText('after', AFTER)
    .helpCommand(true)
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      writeErr: (text) => void world.stderr.write(text),
      outputError: (text, write) => {
        const { json } = program.opts<GlobalOptions>();
        write(wrongLine(text, json === true, styleFor(world.stderr.isTTY === true, world.env)));
      },
    });
  for (const [group, adds] of Object.entries(COMMANDS)) {
    program.commandsGroup(GROUPS[group as keyof typeof GROUPS]);
    for (const add of adds) add(world, program);
  }
  for (const command of allOf(program)) {
    command.exitOverride();
    command.configureHelp({ showGlobalOptions: true, sortSubcommands: false });
    if (command !== program) command.copyInheritedSettings(program);
  }
  return program;
}

/** What Commander says of a wrong command line, in the form of all other faults. */
function wrongLine(text: string, isJson: boolean, style: Style): string {
  const [what = '', near] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const fault = usageFault(what, near?.replace(/^\(|\)$/g, '') ?? '--help shows what it takes');
  const lines = isJson ? [JSON.stringify(faultJson(fault))] : faultLines(fault, style);
  return `${lines.join('\n')}\n`;
}

/** The program and every command below it. */
export function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}
