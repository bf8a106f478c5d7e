import { routeMethodNotAllowed } from '../meta/status-error.ts';
import type { PathHandler } from './api-route.ts';
import { headersOf } from './render.ts';

/** Not a path of kube-apiserver. As any path that is no resource, it needs a permission of its own. */
export const statusPath = '/keelson/status';

/** Answers requests for the status of the server with what `read` returns. */
export function statusRoute(read: () => Promise<object>): PathHandler {
  return {
    paths: [statusPath],
    handle(exchange, path) {
      if (path !== statusPath) return false;
      if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw routeMethodNotAllowed();
      return read().then((status) => {
        // The deadline may have responded meanwhile.
        if (exchange.responded) return;
        exchange.respond(200, headersOf(exchange, 'application/json'), `${JSON.stringify(status)}\n`);
      });
    },
  };
}
