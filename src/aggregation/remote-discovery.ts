import { isDeepStrictEqual } from 'node:util';
import { connectionFailure, DeadlineError, type HttpAnswer, HttpTarget, WorkQueue } from '../client/index.ts';
import type { RemoteVersion } from '../http/discovery/index.ts';
import {
  type APIService,
  groupVersionOf,
  groupVersionPath,
  isAvailable,
  isRemote,
  type RemoteAPIService,
} from './api-service.ts';
import type { ApiServices } from './api-services.ts';
import { aggregatorUser } from './availability-check.ts';
import type { ExtensionAccess } from './extension-access.ts';
import { aggregatedResources, legacyResources, type ResourceEntry } from './remote-resources.ts';
import { userHeaders } from './user-headers.ts';

const refreshMs = 60_000;
const timeoutMs = 5_000;
/** Far more than the documents of any real server. Parsing this much does not delay others noticeably. */
const maxAnswerBytes = 2 * 1024 * 1024;

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export interface RemoteDiscoveryOptions {
  readonly apiServices: ApiServices;
  readonly access: ExtensionAccess;
  /** Called when `versions` has changed. */
  readonly onChange: () => void;
  readonly report: (error: Error) => void;
}

interface Known {
  readonly resources: readonly ResourceEntry[];
  readonly isCurrent: boolean;
  readonly etag?: string;
}

const unknown: Known = { resources: [], isCurrent: false };

/** Knows the resources of other servers. What a server said last is kept while it is away. */
export class RemoteDiscovery {
  readonly #options: RemoteDiscoveryOptions;
  readonly #queue: WorkQueue;
  /** By the name of the APIService. */
  readonly #known = new Map<string, Known>();

  constructor(options: RemoteDiscoveryOptions, signal: AbortSignal) {
    this.#options = options;
    this.#queue = new WorkQueue((name) => this.#refresh(name), { report: options.report }, signal);
    options.apiServices.onChange((name, present, before) => this.#changed(name, present, before));
    for (const object of options.apiServices.remote()) this.#changed(object.metadata.name ?? '', object, undefined);
  }

  versions(): RemoteVersion[] {
    return Array.from(this.#options.apiServices.remote(), ({ metadata: { name = '' } }) => {
      const { resources, isCurrent } = this.#known.get(name) ?? unknown;
      return { ...groupVersionOf(name), resources, isCurrent };
    });
  }

  #changed(name: string, present: APIService | undefined, before: APIService | undefined): void {
    if (present === undefined || !isRemote(present)) {
      if (this.#known.delete(name) || (before !== undefined && isRemote(before))) this.#options.onChange();
      return;
    }
    const isOther = before === undefined || !isDeepStrictEqual(present.spec.service, before.spec.service);
    if (isOther) this.#known.delete(name);
    if (isOther || !isDeepStrictEqual(present.spec, before?.spec)) this.#options.onChange();
    if (isOther || isAvailable(present) !== isAvailable(before)) this.#queue.add(name);
  }

  async #refresh(name: string): Promise<void> {
    const apiService = this.#options.apiServices.get(name);
    if (apiService === undefined || !isRemote(apiService)) return;
    const known = this.#known.get(name) ?? unknown;
    let next: Known = { ...known, isCurrent: false };
    if (isAvailable(apiService)) {
      try {
        next = await this.#fetch(apiService, known);
      } catch (error) {
        const problem =
          error instanceof DeadlineError ? 'context deadline exceeded' : connectionFailure(error as Error);
        this.#options.report(new Error(`discovery of APIService ${name}: ${problem}`, { cause: error }));
      }
    }
    const present = this.#options.apiServices.get(name);
    // Another server was asked.
    if (present === undefined || !isDeepStrictEqual(present.spec.service, apiService.spec.service)) return;
    this.#known.set(name, next);
    if (known.isCurrent !== next.isCurrent || !isDeepStrictEqual(known.resources, next.resources)) {
      this.#options.onChange();
    }
    this.#queue.addAfter(name, refreshMs);
  }

  async #fetch({ metadata: { name = '' }, spec }: RemoteAPIService, known: Known): Promise<Known> {
    const { access } = this.#options;
    const target = new HttpTarget(access.serverAccess(spec), () => access.resolve(spec.service));
    const get = (path: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
      target.get({ path, headers: { ...userHeaders(aggregatorUser), ...headers }, maxAnswerBytes, timeoutMs });
    const groupVersion = groupVersionOf(name);
    try {
      const accept = `${aggregatedType},application/json;q=0.9`;
      const conditional: Record<string, string> = known.etag === undefined ? {} : { 'if-none-match': known.etag };
      const answer = await get(groupVersion.group === '' ? '/api' : '/apis', { accept, ...conditional });
      if (answer.status === 304) return { ...known, isCurrent: true };
      if (answer.status === 200 && isAggregated(answer)) {
        const { etag } = answer.headers;
        const resources = aggregatedResources(contentOf(answer), groupVersion);
        return { resources, isCurrent: true, ...(etag !== undefined && { etag }) };
      }
      const path = groupVersionPath(groupVersion);
      const legacy = await get(path, { accept: 'application/json' });
      if (legacy.status !== 200) throw new Error(`bad status of ${path}: ${legacy.status}`);
      return { resources: legacyResources(contentOf(legacy)), isCurrent: true };
    } finally {
      target.close();
    }
  }
}

function isAggregated({ headers }: HttpAnswer): boolean {
  return /;\s*as=APIGroupDiscoveryList/.test(headers['content-type'] ?? '');
}

/** Throws when the answer is too large or is not JSON. */
function contentOf({ body }: HttpAnswer): unknown {
  if (body === undefined) throw new Error(`the answer has more than ${maxAnswerBytes} bytes`);
  return JSON.parse(body.toString());
}
