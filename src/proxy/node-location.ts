import { isIP } from 'node:net';
import { goQuote } from '../meta/go-quote.ts';
import { badRequest } from '../meta/status-error.ts';
import { allowedAddressOf } from './allowed-address.ts';
import { type LocationRules, locationAt, type ProxyLocation, parseProxiedName, portNumber } from './proxy-location.ts';

/** Finds the kubelet of a node, which always speaks HTTPS. Rejects with the error to respond with. */
export type FindKubelet = (nodeName: string) => Promise<Omit<ProxyLocation, 'protocol'>>;

/**
 * Returns the location of the kubelet of a node, or of another port on the node. The kubelet gets the credentials of
 * this server and may have any address, because only administrators and kubelets write it. Rejects with the error to
 * respond with.
 */
export async function nodeLocation(
  findKubelet: FindKubelet,
  { name: text }: { readonly name: string },
  { isAllowed }: LocationRules,
): Promise<ProxyLocation> {
  const requested = parseProxiedName(text);
  const port = portNumber(requested?.port ?? '');
  if (requested === undefined || (requested.port !== '' && port === undefined)) {
    throw badRequest(`invalid node request ${goQuote(text)}`);
  }
  const { host, port: kubeletPort, tls, connectTimeoutMs } = await findKubelet(requested.name);
  const serverName = isIP(host) === 0 ? host : '';
  if (port === undefined || port === kubeletPort) {
    return { protocol: 'https:', host, port: kubeletPort, tls: { ...tls, servername: serverName }, connectTimeoutMs };
  }
  return locationAt(requested.scheme, { host: await allowedAddressOf(host, isAllowed), port, serverName });
}
