import type { ServedExchange } from '../../http/exchange.ts';
import type { Storage } from '../../storage/index.ts';
import type { OptionFiles } from '../files/option-files.ts';
import type { ConnectionRebalancing } from './connection-rebalancing.ts';

interface FollowedByRequests {
  readonly files: Pick<OptionFiles, 'catchUp'>;
  /** Undefined if the threads do not share the store. */
  readonly storage: Pick<Storage, 'latestRevision'> | undefined;
  readonly movingClients: ConnectionRebalancing;
}

/**
 * Before a request, the thread applies all changes that other threads have committed, and the current content of the
 * option files. So no request is handled with older roles, policies or objects than an earlier one. There are rarely
 * changes, and then this only reads two numbers.
 */
export function afterCatchingUp(
  { files, storage, movingClients }: FollowedByRequests,
  handle: (exchange: ServedExchange) => void,
): (exchange: ServedExchange) => void {
  return (exchange) => {
    files.catchUp();
    storage?.latestRevision();
    movingClients.onRequest(exchange.connection);
    handle(exchange);
  };
}
