import type { HttpAnswer } from '../client/index.ts';
import type { RemoteVersion } from '../http/discovery/index.ts';
import { groupVersionPath } from './api-service.ts';
import {
  type DocumentRequest,
  parsedAnswer,
  RemoteDocuments,
  type RemoteDocumentsOptions,
} from './remote-documents.ts';
import { aggregatedResources, legacyResources, type ResourceEntry } from './remote-resources.ts';

/** Far more than the documents of any real server. Parsing this much does not delay others noticeably. */
const maxAnswerBytes = 2 * 1024 * 1024;
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
  const answer = await get(groupVersion.group === '' ? '/api' : '/apis', {
    headers: { accept: `${aggregatedType},application/json;q=0.9`, ...conditional },
    maxAnswerBytes,
  });
  if (answer.status === 304 && known !== undefined) return known;
  if (answer.status === 200 && isAggregated(answer)) {
    const { etag } = answer.headers;
    const resources = aggregatedResources(parsedAnswer(answer), groupVersion);
    return { resources, ...(etag !== undefined && { etag }) };
  }
  const path = groupVersionPath(groupVersion);
  const legacy = await get(path, { headers: { accept: 'application/json' }, maxAnswerBytes });
  if (legacy.status !== 200) throw new Error(`bad status of ${path}: ${legacy.status}`);
  return { resources: legacyResources(parsedAnswer(legacy)) };
}

function isAggregated({ headers }: HttpAnswer): boolean {
  return /;\s*as=APIGroupDiscoveryList/.test(headers['content-type'] ?? '');
}
