import type { RequestContext } from '../http/request-context.ts';
import { IdMap } from '../meta/id-map.ts';
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
  readonly #requests = new IdMap<RunningRequest>();
  #lastId = 0;

  /** Returns the id for `delete`. */
  add(request: RunningRequest): number {
    this.#lastId++;
    this.#requests.set(this.#lastId, request);
    return this.#lastId;
  }

  delete(id: number): void {
    this.#requests.delete(id);
  }

  /** In the order of their arrival. */
  [Symbol.iterator](): Iterator<RunningRequest> {
    const requests = this.#requests.values();
    return requests.sort((one, other) => one.arrivedAt - other.arrivedAt).values();
  }
}
