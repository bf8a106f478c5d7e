import type { Random } from '../codec/random.ts';
import type { Json, JsonObject } from '../invariants/json.ts';
import type { Answers, Case, Step } from './case.ts';
import { chooseTarget, dryOnly, type Scope } from './scope.ts';
import { itemPath } from './steps.ts';

const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const accepts = [
  ...['application/json', tables, `${tables},application/json`, 'application/yaml', 'text/html', '*/*'],
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
];
const labelSelectors = [
  ...['size=0', 'size!=0', 'size in (0,1)', 'size notin (0)', 'size', '!size', 'color=red,size=1', 'color==red'],
  ...['size>0', 'size in (', 'a b', ',', 'example.com/x=', 'size=not/valid!', 'color in (red,blue),size lt 2'],
];
const fieldSelectors = [
  ...['metadata.name=a', 'metadata.name!=a', 'metadata.namespace=default', 'spec.nodeName=', 'status.phase=Pending'],
  ...['type=Opaque', 'spec.unknown=1', 'metadata.name', 'metadata.name=a,metadata.name=b', 'metadata.name=a\\,b', '='],
];
const texts = ['', '0', '1', '-1', 'x', 'true', 'false', '1.5', '99999999999999999999', '9223372036854775807'];
const parameters: Readonly<Record<string, readonly string[]>> = {
  labelSelector: labelSelectors,
  fieldSelector: fieldSelectors,
  limit: texts,
  resourceVersion: ['', '0', 'x', '-1', '1.5'],
  resourceVersionMatch: ['', 'Exact', 'NotOlderThan', 'Odd'],
  continue: ['', 'x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0'],
  timeoutSeconds: ['1', 'x'],
  pretty: texts,
  sendInitialEvents: ['true', 'x'],
  includeObject: ['None', 'Metadata', 'Object', 'Odd'],
  unknown: ['x'],
};

/** A few objects of a type, and lists of them by selectors and in pages, single reads and deletes of collections. */
export function generateQueries(scope: Scope): Case {
  const { random } = scope;
  const { subject, collection, namespace, object } = chooseTarget(
    scope,
    ({ definition }) => definition.namespaced && !dryOnly.test(definition.group),
  );
  const count = 2 + random.below(3);
  const steps: Step[] = Array.from({ length: count }, (_, index) => {
    const labels = { size: `${index}`, color: random.pick(['red', 'blue']) };
    const metadata = { ...(object.metadata as JsonObject), name: 'abcd'[index]!, labels };
    return { method: 'POST', path: collection, body: { ...object, metadata }, creates: collection };
  });
  for (let left = 3 + random.below(5); left > 0; left--) steps.push(...chooseQuery(collection, steps.length, random));
  return { kind: subject.definition.kind, ...namespace, steps };
}

function chooseQuery(collection: string, next: number, random: Random): Step[] {
  const accept = random.chance(0.3) ? { accept: random.pick(accepts) } : {};
  switch (random.below(10)) {
    case 0:
      return [{ method: 'GET', path: itemPath(collection, 0, queryText(random)), ...accept }];
    case 1:
      return [{ method: 'GET', path: `${collection}/absent`, ...accept }];
    case 2:
    case 3:
      return [
        { method: 'GET', path: `${collection}?limit=1`, ...accept },
        { method: 'GET', path: nextPage(collection, next, random.pick(['&limit=1', '', '&resourceVersion=1'])) },
      ];
    case 4:
      return [
        { method: 'DELETE', path: `${collection}${queryText(random)}` },
        { method: 'GET', path: collection },
      ];
    case 5:
      return [oddStep(collection, random)];
    default:
      return [{ method: 'GET', path: `${collection}${queryText(random)}`, ...accept }];
  }
}

/** The continue token is that of the same server. */
function nextPage(collection: string, first: number, more: string) {
  return (answers: Answers): string | undefined => {
    const { metadata } = (answers[first]?.body ?? {}) as { metadata?: { continue?: string } };
    const token = metadata?.continue;
    // Encodings differ in whether an empty token is said.
    return token === undefined || token === ''
      ? undefined
      : `${collection}?continue=${encodeURIComponent(token)}${more}`;
  };
}

function oddStep(collection: string, random: Random): Step {
  const root = collection.split('/namespaces/')[0]!;
  const method = random.pick(['GET', 'PUT', 'POST', 'PATCH', 'DELETE']);
  const path = random.pick([
    ...[root, `${collection}/a/odd`, `${collection}/a/status`, `${collection}/a/scale`, `${collection}/`],
    ...[`${root}/odd`, `${collection}/Not_A-Name`, `${collection}/a%2Fb`],
  ]);
  if (method === 'GET' || method === 'DELETE') return { method, path };
  const type = random.pick([
    'application/json',
    'text/plain',
    'application/merge-patch+json',
    'application/json-patch',
  ]);
  return { method, path, body: random.pick<Json>([{}, [], 'x', null, { kind: 'Odd', apiVersion: 'odd/v1' }]), type };
}

function queryText(random: Random): string {
  const names = Object.keys(parameters);
  const pairs = Array.from({ length: random.below(3) + 1 }, () => {
    const name = random.chance(0.5) ? random.pick(['labelSelector', 'fieldSelector']) : random.pick(names);
    return `${name}=${encodeURIComponent(random.pick(parameters[name]!))}`;
  });
  return `?${pairs.join('&')}`;
}
