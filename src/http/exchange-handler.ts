import { type Compatibility, specification } from '../meta/compatibility.ts';
import { badRequest } from '../meta/status-error.ts';
import { acceptsGzip, namesGzip } from './compression/accepts-gzip.ts';
import { GzipExchange } from './compression/gzip-exchange.ts';
import type { Exchange, ServedExchange } from './exchange.ts';
import type { ObjectFormats } from './object-formats.ts';
import { ObservedEnds, type RequestObserver } from './observation/request-observer.ts';
import type { Handler } from './pipeline.ts';
import { respondError } from './render.ts';
import { RequestContext } from './request-context.ts';
import { isLongRunning, type RequestInfo, requestInfo } from './request-info.ts';

export interface ExchangeHandlerOptions {
  readonly handler: Handler;
  readonly formats: ObjectFormats;
  /** Whether large responses may be compressed. */
  readonly compresses: boolean;
  /** What decides where the specification and kube-apiserver differ. Default: the specification. */
  readonly compatibility?: Compatibility;
  /**
   * Whether another server responds to requests for the path; it decides about compression itself. By default none
   * does.
   */
  readonly isPassedOn?: (path: string) => boolean;
  /** Absent when requests are not observed. */
  readonly observer?: RequestObserver | undefined;
  /** Called when even the error response has failed. */
  readonly report: (error: Error, request: string) => void;
}

/** Turns an exchange into a request of the API and passes it to the pipeline. The result never throws. */
export function exchangeHandler(options: ExchangeHandlerOptions): (exchange: ServedExchange) => void {
  const { handler, formats, compresses, compatibility = specification, isPassedOn = () => false } = options;
  const { observer, report } = options;
  /** The error response itself may fail. */
  const watchFaults = ({ exchange }: RequestContext, result: Promise<void>): void => {
    result.catch((error) => {
      exchange.abort();
      report(error, `${exchange.method} ${exchange.path}`);
    });
  };
  const ends = observer && new ObservedEnds(observer);
  return (exchange) => {
    let context: RequestContext;
    try {
      const info = requestInfo(exchange.method, exchange.path, exchange.query);
      const compressed = compresses && mayCompress(exchange, info, compatibility) && !isPassedOn(info.path);
      context = new RequestContext(compressed ? new GzipExchange(exchange) : exchange, info, formats, compatibility);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      respondError(
        { exchange, formats, compatibility },
        badRequest('the request path is not well encoded', { cause: error }),
      );
      return;
    }
    observer?.begin?.(context);
    const result = handler(context);
    ends?.follow(context, exchange, result);
    if (result instanceof Promise) watchFaults(context, result);
  };
}

/**
 * Only reads are compressed, because only they can be large. Watches are not compressed, because that would delay their
 * events. Neither are upgraded or proxied connections.
 */
function mayCompress(exchange: Exchange, info: RequestInfo, { standardNegotiation }: Compatibility): boolean {
  if (info.target === undefined || (info.verb !== 'get' && info.verb !== 'list') || isLongRunning(info)) return false;
  const accepts = standardNegotiation ? acceptsGzip : namesGzip;
  return accepts(exchange.header('accept-encoding'));
}
