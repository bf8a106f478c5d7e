import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../../meta/go-quote.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import type { NodeRequest } from './node-request.ts';

/** The fields that a node reports after it has resized a volume. */
const reported: ReadonlySet<string> = new Set([
  'capacity',
  'conditions',
  'allocatedResources',
  'allocatedResourceStatuses',
]);

export function checkClaimStatus({ node, request }: NodeRequest): void {
  const changed = differences(withoutReports(request.object), withoutReports(request.oldObject ?? { metadata: {} }));
  if (changed.length === 0) return;
  const only = 'is not allowed to update fields other than status.quantity and status.conditions';
  throw admissionForbidden(request, `node ${goQuote(node)} ${only}: ${changed.join(', ')}`);
}

export function refuseClaim({ request }: NodeRequest): never {
  throw admissionForbidden(request, 'may only update PVC status');
}

type Fields = Readonly<Record<string, unknown>>;

function withoutReports({ metadata, spec, status }: ResourceObject): Readonly<Record<string, Fields>> {
  const { resourceVersion: _version, managedFields: _managers, ...meta } = metadata;
  const kept = Object.entries((status ?? {}) as Fields).filter(([field]) => !reported.has(field));
  return { metadata: meta, spec: (spec ?? {}) as Fields, status: Object.fromEntries(kept) };
}

/** The paths of the fields that differ. */
function differences(next: Readonly<Record<string, Fields>>, before: Readonly<Record<string, Fields>>): string[] {
  return Object.keys(next).flatMap((parent) => {
    const fields = new Set([...Object.keys(next[parent]!), ...Object.keys(before[parent]!)]);
    const changed = [...fields].filter((field) => !isDeepStrictEqual(next[parent]![field], before[parent]![field]));
    return changed.map((field) => `${parent}.${field}`);
  });
}
