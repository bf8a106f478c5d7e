import type { ServedExchange } from '../../http/exchange.ts';
import type { Storage } from '../../storage/index.ts';
import type { OptionFiles } from '../files/option-files.ts';
import type { MovingClients } from './moving-clients.ts';

interface FollowedByRequests {
  readonly files: Pick<OptionFiles, 'catchUp'>;
  /** Undefined if the threads do not share the store. */
  readonly storage: Pick<Storage, 'latestRevision'> | undefined;
  readonly movingClients: MovingClients;
}

/**
 * Before a request begins, its thread takes in what other threads have committed, and the files that the first one has
 * put in force. So roles, definitions, policies, objects and files by which any thread has answered are obeyed by every
 * later request. Nearly always there is nothing to take in, and this costs the read of two numbers.
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
