import type { HttpResponse } from '../client/index.ts';
import type { RemoteVersion } from '../http/discovery/index.ts';
import { groupVersionPath } from './api-service.ts';
import {
  type DocumentRequest,
  parsedResponse,
  RemoteDocuments,
  type RemoteDocumentsOptions,
} from './remote-documents.ts';
import { aggregatedResources, legacyResources, type ResourceEntry } from './remote-resources.ts';

/** Far more than the documents of any real server. Parsing this much does not delay others noticeably. */
const maxResponseBytes = 2 * 1024 * 1024;
const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface DiscoveryDocument {
  readonly resources: readonly ResourceEntry[];
  readonly etag?: string;
}

/** The resources of other servers. */
export class RemoteDiscovery {
  readonly #documents: RemoteDocuments<DiscoveryDocument>;

  constructor(options: Omit<RemoteDocumentsOptions<DiscoveryDocument>, 'about' | 'fetch'>, signal: AbortSignal) {
    this.#documents = new RemoteDocuments({ ...options, about: 'discovery', fetch: fetchResources }, signal);
  }

  versions(): RemoteVersion[] {
    return this.#documents.all().map(({ group, version, content, isCurrent }) => ({
      group,
      version,
      resources: content?.resources ?? [],
      isCurrent,
    }));
  }
}

/** Requests aggregated discovery, or the document of the group version if that does not exist. */
async function fetchResources(request: DocumentRequest<DiscoveryDocument>): Promise<DiscoveryDocument> {
  const { groupVersion, known, get } = request;
  const conditional: Record<string, string> = known?.etag === undefined ? {} : { 'if-none-match': known.etag };
  const response = await get(groupVersion.group === '' ? '/api' : '/apis', {
    headers: { accept: `${aggregatedType},application/json;q=0.9`, ...conditional },
    maxResponseBytes,
  });
  if (response.status === 304 && known !== undefined) return known;
  if (response.status === 200 && isAggregated(response)) {
    const { etag } = response.headers;
    const resources = aggregatedResources(parsedResponse(response), groupVersion);
    return { resources, ...(etag !== undefined && { etag }) };
  }
  const path = groupVersionPath(groupVersion);
  const legacy = await get(path, { headers: { accept: 'application/json' }, maxResponseBytes });
  if (legacy.status !== 200) throw new Error(`bad status of ${path}: ${legacy.status}`);
  return { resources: legacyResources(parsedResponse(legacy)) };
}

function isAggregated({ headers }: HttpResponse): boolean {
  return /;\s*as=APIGroupDiscoveryList/.test(headers['content-type'] ?? '');
}
