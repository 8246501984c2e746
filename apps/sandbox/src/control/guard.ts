//! Access to control: only this machine, and no web page except the sandbox's own.
import type { IncomingMessage } from 'node:http';
import { ControlRefusal } from './input.ts';

/**
 * Control can change everything in the sandbox, so reaching the port is not enough, unless it was
 * started to be shared under a name.
 */
export function checkCaller(request: IncomingMessage, sharedAs?: string): void {
  if (sharedAs === undefined && !isLoopback(request.socket.remoteAddress ?? ''))
    throw new ControlRefusal(403, 'control accepts calls from this machine only');
  const host = request.headers.host ?? '';
  // Also when it is shared: a web page can give a name of its own the address of the sandbox.
  if (!isLocalName(host) && host !== sharedAs)
    throw new ControlRefusal(403, 'control accepts local names only');
  const { origin } = request.headers;
  // A page from elsewhere, open in the same browser, could send forms here.
  if (origin !== undefined && origin !== `http://${host}`)
    throw new ControlRefusal(403, 'the control API does not accept cross-origin requests');
}

export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127(\.\d{1,3}){3}$|^::1$/i.test(address);
}

function isLocalName(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}
