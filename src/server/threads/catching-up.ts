import type { ServedExchange } from '../../http/exchange.ts';
import type { Storage } from '../../storage/index.ts';

/**
 * Before a request begins, its thread takes in what other threads have committed. So roles, definitions, policies and
 * objects that any thread has answered are obeyed by every later request. Nearly always there is nothing to take in,
 * and this costs the read of one number.
 */
export function afterCatchingUp(
  storage: Pick<Storage, 'latestRevision'>,
  handle: (exchange: ServedExchange) => void,
): (exchange: ServedExchange) => void {
  return (exchange) => {
    storage.latestRevision();
    handle(exchange);
  };
}
