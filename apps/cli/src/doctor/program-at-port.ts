//! Finds the program that listens at a port of this machine (Linux only).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Program {
  readonly pid: number;
  readonly name: string;
}

const LISTENING = '0A';

/** Undefined when no process listens, or when it belongs to a user whose processes are hidden. */
export function programAtPort(port: number): Program | undefined {
  try {
    const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((f) => socketsAt(f, port)));
    if (sockets.size === 0) return undefined;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ownerOf(pid, sockets))
      .find((found) => found !== undefined);
  } catch {
    return undefined;
  }
}

/** Lines of `/proc/net/tcp`: number, local address in hex, remote, state, …, inode. */
function socketsAt(file: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENING && local?.endsWith(`:${wanted}`))
    .map((fields) => `socket:[${fields[9]}]`);
}

function ownerOf(pid: string, sockets: ReadonlySet<string>): Program | undefined {
  try {
    const isOwner = readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
    if (!isOwner) return undefined;
    return { pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() };
  } catch {
    return undefined;
  }
}
