//! Colours of the terminal, where the output is one.

type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly green: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const plain: Paint = (text) => text;

export const PLAIN: Style = {
  bold: plain,
  dim: plain,
  green: plain,
  red: plain,
  yellow: plain,
  cyan: plain,
};

const ESCAPE = '\u001b';
const paint =
  (on: number, off: number): Paint =>
  (text) =>
    text === '' ? '' : `${ESCAPE}[${on}m${text}${ESCAPE}[${off}m`;

const COLORED: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  green: paint(32, 39),
  red: paint(31, 39),
  yellow: paint(33, 39),
  cyan: paint(36, 39),
};

type Environment = Readonly<Record<string, string | undefined>>;

/** NO_COLOR switches colours off, regardless of other settings (no-color.org). */
export function styleFor(isTerminal: boolean, env: Environment): Style {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return PLAIN;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return COLORED;
  return isTerminal && TERM !== 'dumb' ? COLORED : PLAIN;
}

const CODES = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');

/** How many columns a text takes, colours apart. */
export function widthOf(text: string): number {
  return Array.from(text.replace(CODES, '')).length;
}

/** A status in the colour that says how it stands. */
export function paintStatus(style: Style, status: string): string {
  if (/CLOSED|RELEASED|COMPLETED|SUCCEEDED|RESOLVED|ACTIVE|DONE|ok$/.test(status))
    return style.green(status);
  if (/FAILED|REFUSED|ESCALATED|BREACH|SUSPENDED|fault$/.test(status)) return style.red(status);
  if (/CANCELED|ARCHIVED|REFUNDED|EXPIRED/.test(status)) return style.dim(status);
  if (/DISPUTE|OPEN|REVIEW|PENDING|PAUSED/.test(status)) return style.yellow(status);
  return style.cyan(status);
}
