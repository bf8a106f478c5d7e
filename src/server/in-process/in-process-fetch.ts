import type { Peer } from '../../authn/index.ts';
import type { Fetch } from '../../client/index.ts';
import type { ServedExchange } from '../../http/exchange.ts';
import { serverUser } from '../../meta/user.ts';
import { InProcessExchange } from './in-process-exchange.ts';

/** The identity of the server's own requests, which need no certificate. */
const self: Peer = {
  remoteAddress: '127.0.0.1',
  clientCertificate: undefined,
  clientCertificateTrusted: false,
  user: serverUser,
  secure: true,
};

/** The field manager of objects that the server writes, as in Kubernetes. */
const agent = 'kube-apiserver';

export function inProcessFetch(handle: (exchange: ServedExchange) => void): Fetch {
  return (request) => {
    const exchange = new InProcessExchange({ ...request, headers: { 'user-agent': agent, ...request.headers } }, self);
    handle(exchange);
    return exchange.response;
  };
}
