import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../../meta/go-quote.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { admissionForbidden } from '../admission-forbidden.ts';
import type { NodeRequest } from './node-request.ts';

interface NodeSpec {
  readonly configSource?: object;
  readonly taints?: readonly object[];
}

const specOf = (node: ResourceObject | undefined): NodeSpec => (node?.spec ?? {}) as NodeSpec;

/**
 * A node may not write other nodes, and may not change fields of its own that would attract pods or objects not meant
 * for it.
 */
export function checkNode({ node, request }: NodeRequest): void {
  const { operation, name, object, oldObject } = request;
  const subject = `node ${goQuote(node)}`;
  if (name !== node) throw admissionForbidden(request, `${subject} is not allowed to modify node ${goQuote(name)}`);
  if (operation === 'DELETE') return;
  const { configSource, taints = [] } = specOf(object);
  const labels = forbiddenLabels(object.metadata.labels, oldObject?.metadata.labels);
  if (operation === 'CREATE') {
    if (configSource)
      throw admissionForbidden(request, `${subject} is not allowed to create pods with a non-nil configSource`);
    if (labels.length > 0) {
      throw admissionForbidden(request, `${subject} is not allowed to set the following labels: ${labels.join(', ')}`);
    }
    return;
  }
  const before = specOf(oldObject);
  if (configSource && !isDeepStrictEqual(configSource, before.configSource)) {
    throw admissionForbidden(request, `${subject} is not allowed to update configSource to a new non-nil configSource`);
  }
  if (!isDeepStrictEqual(taints, before.taints ?? []))
    throw admissionForbidden(request, `${subject} is not allowed to modify taints`);
  if (labels.length > 0) throw admissionForbidden(request, `is not allowed to modify labels: ${labels.join(', ')}`);
}

type Labels = Readonly<Record<string, string>>;

/** The changed labels that a node may not set, in alphabetical order. */
function forbiddenLabels(next: Labels = {}, before: Labels = {}): string[] {
  const valueIn = (labels: Labels, key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const keys = new Set([...Object.keys(next), ...Object.keys(before)]);
  const changed = [...keys].filter((key) => valueIn(next, key) !== valueIn(before, key));
  return changed.filter(isForbidden).sort();
}

const ownLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

/** Labels outside the Kubernetes domains are not restricted. */
function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const domain = slash < 0 ? '' : label.slice(0, slash);
  const isWithin = (parent: string) => domain === parent || domain.endsWith(`.${parent}`);
  if (isWithin('node-restriction.kubernetes.io')) return true;
  if (!isWithin('kubernetes.io') && !isWithin('k8s.io')) return false;
  return !ownLabels.has(label) && !isWithin('kubelet.kubernetes.io') && !isWithin('node.kubernetes.io');
}
