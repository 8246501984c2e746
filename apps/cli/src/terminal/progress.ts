//! Shows the progress of long work on a terminal; prints nothing elsewhere.
import type { Style } from './style.ts';

export interface Progress {
  /** What is being done now. */
  show(text: string): void;
  /** Takes the line away again. */
  clear(): void;
}

export const quietProgress: Progress = { show: () => undefined, clear: () => undefined };

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const CLEAR_LINE = '\r\u001b[K';

export function terminalProgress(
  stream: { readonly columns?: number; write(text: string): unknown },
  style: Style,
): Progress {
  let timer: NodeJS.Timeout | undefined;
  let text = '';
  let index = 0;
  const draw = () => {
    const frame = FRAMES[index % FRAMES.length] ?? '';
    index += 1;
    stream.write(`${CLEAR_LINE}${style.cyan(frame)} ${text.slice(0, (stream.columns || 80) - 4)}`);
  };
  return {
    show(now) {
      text = now;
      if (timer === undefined) timer = setInterval(draw, FRAME_MS).unref();
      draw();
    },
    clear() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      stream.write(CLEAR_LINE);
    },
  };
}
