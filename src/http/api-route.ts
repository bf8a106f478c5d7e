import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ApiRouter } from './api-router.ts';
import type { Discovery } from './discovery/index.ts';
import type { Exchange } from './exchange.ts';
import type { HealthChecks } from './health/index.ts';
import type { OpenApi } from './openapi/index.ts';
import type { OpenId } from './openid/index.ts';
import type { Handler } from './pipeline.ts';
import { respondText } from './render.ts';

/** Serves some paths outside of the API. */
export interface PathHandler {
  /** The paths for the list at `/`. */
  readonly paths: readonly string[];
  /** Returns false for any other path. Otherwise it responds, at once or when the promise resolves. */
  handle(exchange: Exchange, path: string): MaybePromise<void> | false;
}

export interface ApiRouteOptions {
  readonly router: ApiRouter;
  readonly health: HealthChecks;
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
  /** Absent when the server issues no tokens. */
  readonly openId?: OpenId;
  /** Handlers of paths for administrators, such as metrics. */
  readonly pathHandlers?: readonly PathHandler[];
}

/** The end of the pipeline: sends resource paths to the router and other paths to their handlers. */
export function apiRoute({ router, health, discovery, openApi, openId, pathHandlers = [] }: ApiRouteOptions): Handler {
  return (context) => {
    const { exchange, info } = context;
    if (info.target !== undefined) return router.route(context, info.target);
    const { path } = info;
    const checked = health.handle(exchange, path);
    if (checked !== false) return checked;
    if (discovery.handle(exchange, path)) return;
    if (openApi.isPath(path)) return openApi.handle(exchange, path);
    if (openId?.handle(exchange, path)) return;
    for (const other of pathHandlers) {
      const handled = other.handle(exchange, path);
      if (handled !== false) return handled;
    }
    respondText(exchange, 404, '404 page not found\n');
  };
}
