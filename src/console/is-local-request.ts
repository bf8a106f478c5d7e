import { isIP } from 'node:net';
import type { Credentials } from '../authn/index.ts';
import { isLoopbackAddress } from '../meta/loopback-address.ts';

/** Headers that a local proxy adds when it forwards a remote request. */
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

/** Whether a request comes from this machine and uses a loopback name or address. */
export function isLocalRequest(request: Pick<Credentials, 'connection' | 'header'>): boolean {
  if (!isLoopbackAddress(request.connection.remoteAddress)) return false;
  if (proxyHeaders.some((name) => request.header(name) !== undefined)) return false;
  const host = request.header(':authority') ?? request.header('host') ?? '';
  const name = URL.parse(`https://${host}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  return name === 'localhost' || (isIP(name) !== 0 && isLoopbackAddress(name));
}
