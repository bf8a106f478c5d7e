import { routeMethodNotAllowed } from '../meta/status-error.ts';
import type { PathHandler } from './api-route.ts';
import { headersOf } from './render.ts';

/** These paths do not exist in kube-apiserver. Like all non-resource paths, each needs its own permission. */
export const statusPath = '/keelson/status';
export const auditPath = '/keelson/audit';

/** Responds to requests for a path with the document that `read` returns for the query. */
export function documentRoute(own: string, read: (query: URLSearchParams) => Promise<object>): PathHandler {
  return {
    paths: [own],
    handle(exchange, path) {
      if (path !== own) return false;
      if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw routeMethodNotAllowed();
      return read(new URLSearchParams(exchange.query)).then((document) => {
        // The deadline may have responded meanwhile.
        if (exchange.responded) return;
        exchange.respond(200, headersOf(exchange, 'application/json'), `${JSON.stringify(document)}\n`);
      });
    },
  };
}
