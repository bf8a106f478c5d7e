import {
  AdmissionChain,
  admissionPlugins,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  namespaceLifecycle,
  nodeRestriction,
  podCertificateSigning,
  resourceQuota,
  roleEscalation,
} from '../admission/index.ts';
import type { TokenIssuer } from '../authn/index.ts';
import { type ResourceDefinition, ResourceSet } from '../registry/index.ts';
import { builtInResources, isBuiltInKind, optionalResources, requestedOrganizations } from '../resources/index.ts';
import { parseNodePortRange, type parseServiceRanges, ServiceTransactions } from '../service-addresses/index.ts';
import type { Storage } from '../storage/index.ts';
import { CachedObjectStore, type CorruptObject, RecentBytes } from '../store/index.ts';
import { requestedIdentity } from './certificates/index.ts';
import type { CorruptObjects } from './corrupt-objects.ts';
import type { Permissions } from './identity/permissions.ts';
import type { ResolvedOptions } from './options.ts';
import { virtualResources } from './virtual/index.ts';
import type { ReviewToken } from './virtual/reviews/index.ts';

/** What may be kept of lists in the form in which they are sent. */
const encodedListBudget = 64 * 1024 * 1024;

export interface ServedResourcesParts {
  readonly options: ResolvedOptions;
  readonly definitions: readonly ResourceDefinition[];
  readonly storage: Storage;
  /** Hears which objects cannot be read. */
  readonly corrupt: CorruptObjects;
  /** Where services get their addresses from. */
  readonly ranges: ReturnType<typeof parseServiceRanges>;
  readonly allowed: Permissions;
  readonly issuer: TokenIssuer;
  readonly reviewToken: ReviewToken;
  /** Ends the caches. */
  readonly signal: AbortSignal;
}

/** The types of this server over its storage, with all that has a say when objects are written. */
export function servedResources(parts: ServedResourcesParts): ResourceSet {
  const { options, definitions, storage, corrupt, ranges, allowed, issuer, reviewToken, signal } = parts;
  const { modes: authorizer, rbac, nodes } = allowed;
  const encoded = new RecentBytes(encodedListBudget);
  const virtual = virtualResources({
    storage,
    tokens: issuer,
    reviews: { authorizer, rules: authorizer, reviewToken },
  });
  return new ResourceSet({
    definitions,
    unserved: [...builtInResources, ...optionalResources].filter((definition) => !definitions.includes(definition)),
    isKind: isBuiltInKind,
    openStore: (prefix, type) => {
      const onCorrupt = (objects: readonly CorruptObject[]): void => corrupt.update(prefix, objects);
      return new CachedObjectStore({ storage, prefix, ...type, encoded, onCorrupt, signal });
    },
    admission: (objects) =>
      new AdmissionChain(
        [
          namespaceLifecycle,
          ...(nodes.mayBeAuthorized ? [nodeRestriction({ authorizer, commonNameOf, isOn: nodes.areAuthorized })] : []),
          ...admissionPlugins,
          certificateApproval(authorizer),
          certificateSigning(authorizer),
          podCertificateSigning(authorizer),
          clusterTrustBundleAttest(authorizer),
          certificateSubjectRestriction(requestedOrganizations),
          resourceQuota(objects),
          // It judges what all others have made of an object.
          roleEscalation({ authorizer, rbac }),
        ],
        objects,
      ),
    transactions: ({ group, resource }, set) =>
      group === '' && resource === 'services'
        ? new ServiceTransactions({
            resources: set,
            ranges,
            nodePorts: parseNodePortRange(options.serviceNodePortRange),
          })
        : undefined,
    virtual: virtual.resource,
    subresource: virtual.subresource,
  });
}

function commonNameOf(request: string): string {
  return requestedIdentity(request).commonName;
}
