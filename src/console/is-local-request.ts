import { isIP } from 'node:net';
import { type Credentials, isForwarded } from '../authn/index.ts';
import { isLoopbackAddress } from '../meta/loopback-address.ts';

/** Whether a request comes from this machine, without a proxy, and uses a loopback name or address. */
export function isLocalRequest(request: Pick<Credentials, 'connection' | 'header' | 'rawHeaders'>): boolean {
  if (!isLoopbackAddress(request.connection.remoteAddress) || isForwarded(request.rawHeaders)) return false;
  const host = request.header(':authority') ?? request.header('host') ?? '';
  const name = URL.parse(`https://${host}`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  return name === 'localhost' || (isIP(name) !== 0 && isLoopbackAddress(name));
}
