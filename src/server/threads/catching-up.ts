import type { ServedExchange } from '../../http/exchange.ts';
import type { Storage } from '../../storage/index.ts';

/**
 * Before a request starts, its thread applies the commits of other threads. Changes of roles, definitions, policies and
 * objects that any thread has acknowledged therefore apply to every later request. Usually there is nothing to apply,
 * and the check costs the read of one number.
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
