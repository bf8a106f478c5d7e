import type { FieldError } from '../../meta/field-error.ts';
import { invalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type GroupResource, qualifiedResource } from '../../meta/group-version.ts';

/** Stored types that have no API. */
const withoutApi: ReadonlySet<string> = new Set([
  'apiserveripinfo',
  'serviceipallocations',
  'servicenodeportallocations',
]);

/** Parses `secrets`, `deployments.apps`, `*.apps`, `*.` (the core group) or `*.*`. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** The errors of the resources of one rule. */
export function resourceErrors(resources: readonly string[], path: string): FieldError[] {
  return [...overlapErrors(resources, path), ...nameErrors(resources, path)];
}

function overlapErrors(resources: readonly string[], path: string): FieldError[] {
  const parsed = resources.map(parseGroupResource);
  const pairs = parsed.flatMap((one, index) => parsed.slice(index + 1).map((other) => [one, other] as const));
  const errors: FieldError[] = [];
  if (pairs.some(([one, other]) => isSame(one, other))) {
    errors.push(invalidValue(path, resources, 'the same resource cannot be specified multiple times'));
  }
  if (pairs.some(([one, other]) => !isSame(one, other) && (covers(one, other) || covers(other, one)))) {
    const problem =
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
    errors.push(invalidValue(path, resources, problem));
  }
  return errors;
}

const isSame = (one: GroupResource, other: GroupResource): boolean =>
  one.group === other.group && one.resource === other.resource;

const covers = ({ group, resource }: GroupResource, other: GroupResource): boolean =>
  resource === '*' && (group === '*' || group === other.group);

function nameErrors(resources: readonly string[], path: string): FieldError[] {
  return resources.flatMap((resource, index) => {
    const problem = nameProblem(resource);
    return problem === undefined ? [] : [invalidValue(`${path}[${index}]`, resource, problem)];
  });
}

function nameProblem(text: string): string | undefined {
  if (text.toLowerCase() !== text) return 'resource name should not contain capital letters';
  if (text === '*') {
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  }
  if (withoutApi.has(text)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseGroupResource(text);
  if (group === 'events.k8s.io') {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}

/** Throws a RangeError for a rule that never applies because of an earlier one. */
export function checkMasking(rules: readonly { readonly resources: readonly GroupResource[] }[]): void {
  const seen: GroupResource[] = [];
  for (const { resources } of rules) {
    for (const resource of resources) {
      const earlier = seen.find((one) => covers(one, resource));
      if (earlier !== undefined) {
        throw new RangeError(
          `resource ${goQuote(asWritten(resource))} is masked by earlier rule ${goQuote(asWritten(earlier))}`,
        );
      }
      seen.push(resource);
    }
  }
}

function asWritten(resource: GroupResource): string {
  return resource.group === '' && resource.resource === '*' ? '*.' : qualifiedResource(resource);
}
