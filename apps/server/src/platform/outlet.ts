//! A connection that stays open and takes bytes as fast as the other side reads them.

export interface Outlet {
  /** False when it is full: wait for `drained` before the next. */
  write(chunk: Buffer): boolean;
  /** Resolves when there is room again, or the connection is over. */
  drained(): Promise<void>;
  readonly isClosed: boolean;
  /** Called once, when the connection is over, whoever ended it. */
  onClose(callback: () => void): void;
}
