//! A connection that stays open and takes bytes as fast as the other side reads them.

export interface Outlet {
  /** False when the buffer is full: wait for `drained` before the next write. */
  write(chunk: Buffer): boolean;
  /** Resolves when there is room again, or the connection has closed. */
  drained(): Promise<void>;
  readonly isClosed: boolean;
  /** Called once when the connection closes, from either side. */
  onClose(callback: () => void): void;
}
