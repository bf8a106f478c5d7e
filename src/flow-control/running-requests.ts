import type { RequestContext } from '../http/request-context.ts';
import type { FairRequest } from './queues/fair-request.ts';
import type { ServedSchema } from './served-schema.ts';

/** A request that did not respond synchronously, so that it can be observed. */
export interface RunningRequest {
  readonly context: RequestContext;
  readonly schema: ServedSchema;
  /** Undefined in a level without limits. */
  readonly request: FairRequest | undefined;
  readonly arrivedAt: number;
}

/** The requests that wait or run at the moment. */
export class RunningRequests {
  readonly #requests = new Set<RunningRequest>();

  add(request: RunningRequest): RunningRequest {
    this.#requests.add(request);
    return request;
  }

  delete(request: RunningRequest): void {
    this.#requests.delete(request);
  }

  [Symbol.iterator](): Iterator<RunningRequest> {
    return this.#requests.values();
  }
}
