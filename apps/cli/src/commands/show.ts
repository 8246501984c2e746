//! Prints the result of a call: a record, or a list as table, CSV or JSON.
import type { Holdfast, List } from '@holdfast/sdk';
import { type Command, Option } from 'commander';
import { usageFault } from '../command-fault.ts';
import { paintStatus } from '../terminal/style.ts';
import { type Column, csvLines, type Field, fieldLines, tableLines } from '../terminal/table.ts';
import { countText } from '../terminal/words.ts';
import { does, type ProgramWorld, type Run } from './run.ts';

interface ListOptions {
  readonly limit?: string;
  readonly all?: boolean;
  readonly output?: 'table' | 'csv' | 'json';
}

const LIMIT = 20;
const PAGE_MAX = 100;

/** The query for the service: the filters, with this page size. */
type Wanted<F> = F & { readonly limit: number };

/** Makes a command a list: its own filters come first, then the options that every list has. */
export function listCommand<T, F = object>(
  world: ProgramWorld,
  command: Command,
  columns: readonly Column<T>[],
  find: (run: Run, wanted: Wanted<F>, ...args: readonly string[]) => List<T>,
): void {
  does<ListOptions & F>(world, listOptions(command), async (run, options, ...args) => {
    const found = find(run, { ...options, limit: pageSize(options) }, ...args);
    await showList(run, found, columns, options);
  });
}

/** `get <id>` of a resource. */
export function getCommand<T>(
  world: ProgramWorld,
  resource: Command,
  summary: string,
  get: (holdfast: Holdfast, id: string) => PromiseLike<T>,
  show: (run: Run, record: T) => void | Promise<void>,
): void {
  does(world, resource.command('get <id>').alias('show').description(summary), async (run, _, id) =>
    show(run, await get(run.holdfast(), id)),
  );
}

function listOptions(command: Command): Command {
  return command
    .addOption(new Option('--limit <count>', 'maximum number of rows').default(String(LIMIT)))
    .addOption(new Option('--all', 'list all rows; ignores --limit'))
    .addOption(
      new Option('-o, --output <format>', 'output format')
        .choices(['table', 'csv', 'json'])
        .default('table'),
    );
}

/** As large a page as is allowed, no larger than is wanted. */
function pageSize(options: ListOptions): number {
  return Math.min(options.all ? PAGE_MAX : readCount(options.limit), PAGE_MAX);
}

async function showList<T>(
  { terminal }: Run,
  list: List<T>,
  columns: readonly Column<T>[],
  options: ListOptions,
): Promise<void> {
  const most = options.all ? Number.POSITIVE_INFINITY : readCount(options.limit);
  const found: T[] = [];
  let isMore = false;
  for await (const page of list.pages()) {
    found.push(...page.items);
    isMore = page.hasMore || found.length > most;
    if (found.length >= most) break;
    if (page.hasMore) terminal.progress.show(`${found.length} rows so far`);
  }
  terminal.progress.clear();
  const rows = found.slice(0, Math.min(most, found.length));
  if (terminal.isJson || options.output === 'json') return terminal.printJson(rows);
  if (options.output === 'csv') return terminal.print(...csvLines(rows, columns));
  if (rows.length === 0)
    return terminal.printStderr(
      'No results. Check the filters, or the marketplace with `holdfast keys me`.',
    );
  terminal.print(...tableLines(rows, columns, terminal.style));
  if (isMore)
    terminal.printStderr(
      terminal.stderrStyle.dim(
        `${countText(rows.length, 'row')}; more available with --limit or --all`,
      ),
    );
}

/** A head line with its status, then its fields; or the record itself as JSON. */
export function showRecord<T extends { readonly id: string; readonly status?: string }>(
  { terminal }: Run,
  record: T,
  fields: readonly Field[],
): void {
  const { style } = terminal;
  const status = record.status === undefined ? '' : `  ${paintStatus(style, record.status)}`;
  terminal.show(record, () => [`${style.bold(record.id)}${status}`, ...fieldLines(fields, style)]);
}

export const statusColumn = <T extends { readonly status: string }>(): Column<T> => ({
  head: 'STATUS',
  of: ({ status }) => status,
  paint: paintStatus,
});

function readCount(text: string | undefined): number {
  const count = Number(text ?? LIMIT);
  if (!Number.isInteger(count) || count < 1)
    throw usageFault(`invalid --limit ${text}`, 'use a number of 1 or more, or --all');
  return count;
}
