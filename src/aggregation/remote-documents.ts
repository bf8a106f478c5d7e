import { isDeepStrictEqual } from 'node:util';
import { connectionFailure, DeadlineError, type HttpResponse, WorkQueue } from '../client/index.ts';
import type { GroupVersion } from '../meta/group-version.ts';
import { type APIService, groupVersionOf, isAvailable, isRemote, type RemoteAPIService } from './api-service.ts';
import type { ApiServices } from './api-services.ts';
import { aggregatorUser } from './availability-check.ts';
import type { ExtensionAccess } from './extension-access.ts';
import { userHeaders } from './user-headers.ts';

const refreshMs = 60_000;

export interface RemoteDocumentsOptions<T> {
  readonly apiServices: ApiServices;
  readonly access: ExtensionAccess;
  /** The name of the documents, for messages. */
  readonly about: string;
  readonly fetch: (request: DocumentRequest<T>) => Promise<T>;
  /** Called when documents have changed, and when APIServices are added or removed. */
  readonly onChange: () => void;
  readonly report: (error: Error) => void;
}

export interface DocumentRequest<T> {
  readonly groupVersion: GroupVersion;
  /** The last fetched document. */
  readonly known: T | undefined;
  readonly get: (path: string, options: GetOptions) => Promise<HttpResponse>;
}

interface GetOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxResponseBytes: number;
}

export interface RemoteDocument<T> {
  /** Undefined before the first response. */
  readonly content: T | undefined;
  /** Whether the server has answered the last request. */
  readonly isCurrent: boolean;
}

const unknown = { content: undefined, isCurrent: false };

/**
 * Fetches documents of other servers when they become available and every minute, so that no client waits for them. The
 * last document of a server is kept while it is unavailable.
 */
export class RemoteDocuments<T> {
  readonly #options: RemoteDocumentsOptions<T>;
  readonly #queue: WorkQueue;
  /** Keyed by the name of the APIService. */
  readonly #known = new Map<string, RemoteDocument<T>>();

  constructor(options: RemoteDocumentsOptions<T>, signal: AbortSignal) {
    this.#options = options;
    this.#queue = new WorkQueue((name) => this.#refresh(name), { report: options.report }, signal);
    options.apiServices.onChange((name, present, before) => this.#changed(name, present, before));
    for (const object of options.apiServices.remote()) this.#changed(object.metadata.name ?? '', object, undefined);
  }

  /** The documents of all other servers. */
  all(): (GroupVersion & RemoteDocument<T>)[] {
    return Array.from(this.#options.apiServices.remote(), ({ metadata: { name = '' } }) => ({
      ...groupVersionOf(name),
      ...(this.#known.get(name) ?? unknown),
    }));
  }

  #changed(name: string, present: APIService | undefined, before: APIService | undefined): void {
    if (present === undefined || !isRemote(present)) {
      if (this.#known.delete(name) || (before !== undefined && isRemote(before))) this.#options.onChange();
      return;
    }
    const isOther = before === undefined || !isDeepStrictEqual(present.spec.service, before.spec.service);
    if (isOther) {
      this.#known.delete(name);
      this.#options.onChange();
    }
    if (isOther || isAvailable(present) !== isAvailable(before)) this.#queue.add(name);
  }

  async #refresh(name: string): Promise<void> {
    const { apiServices, about, report } = this.#options;
    const apiService = apiServices.get(name);
    if (apiService === undefined || !isRemote(apiService)) return;
    const known = this.#known.get(name) ?? unknown;
    let next: RemoteDocument<T> = { ...known, isCurrent: false };
    if (isAvailable(apiService)) {
      try {
        next = { content: await this.#fetch(apiService, known.content), isCurrent: true };
      } catch (error) {
        const problem =
          error instanceof DeadlineError ? 'context deadline exceeded' : connectionFailure(error as Error);
        report(new Error(`${about} of APIService ${name}: ${problem}`, { cause: error }));
      }
    }
    const present = apiServices.get(name);
    // The document came from another server.
    if (present === undefined || !isDeepStrictEqual(present.spec.service, apiService.spec.service)) return;
    this.#known.set(name, next);
    if (!isDeepStrictEqual(known, next)) this.#options.onChange();
    this.#queue.addAfter(name, refreshMs);
  }

  async #fetch({ metadata: { name = '' }, spec }: RemoteAPIService, known: T | undefined): Promise<T> {
    const { access, fetch } = this.#options;
    const { timeoutMs } = access;
    const target = access.target(spec);
    const get: DocumentRequest<T>['get'] = (path, { headers, maxResponseBytes }) =>
      target.get({ path, headers: { ...userHeaders(aggregatorUser), ...headers }, maxResponseBytes, timeoutMs });
    try {
      return await fetch({ groupVersion: groupVersionOf(name), known, get });
    } finally {
      target.close();
    }
  }
}

/** Throws when the response is too large or is not JSON. */
export function parsedResponse({ body }: HttpResponse): unknown {
  if (body === undefined) throw new Error('the answer is too large');
  return JSON.parse(body.toString());
}
