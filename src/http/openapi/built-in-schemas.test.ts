import { beforeAll, describe, expect, test } from 'vitest';
import { builtInKinds, builtInResources, groupOrder } from '../../resources/index.ts';
import { OpenApiDocuments } from './openapi-documents.ts';

interface Property {
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly items?: Property;
}

type Definitions = Readonly<Record<string, { readonly properties?: Readonly<Record<string, Property>> }>>;

const media = { objects: ['application/json'], bodies: ['*/*'], streams: [], patches: [] };
const documents = new OpenApiDocuments({
  catalog: { generation: 1, definitions: () => builtInResources, kinds: () => builtInKinds, groupOrder },
  media,
  customMedia: media,
  descriptions: { type: () => undefined, field: () => undefined },
});

let swagger: Definitions;
const openApi: Record<string, Definitions[string]> = {};

beforeAll(async () => {
  const parse = (bytes: Buffer) => JSON.parse(bytes.toString());
  swagger = parse(await (await documents.swagger()).bytes('json')).definitions;
  const { paths } = parse((await documents.index()).body);
  for (const name of Object.keys(paths)) {
    const document = await documents.openApi(name);
    Object.assign(openApi, parse(await document!.bytes('json')).components.schemas);
  }
});

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const requests = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
];

describe.each<[string, () => Definitions]>([
  ['Swagger 2.0', () => swagger],
  ['OpenAPI 3.0', () => openApi],
])('in %s', (_dialect, definitions) => {
  const property = (type: string, name: string): Property => definitions()[`io.k8s.api.${type}`]!.properties![name]!;

  test.each<[string, string, readonly string[]]>([
    ['admissionregistration.v1.RuleWithOperations', 'operations', requests],
    ['admissionregistration.v1.NamedRuleWithOperations', 'operations', requests],
    ['admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec', 'validationActions', ['Audit', 'Deny', 'Warn']],
    ['core.v1.PersistentVolumeSpec', 'accessModes', accessModes],
    ['core.v1.PersistentVolumeClaimSpec', 'accessModes', accessModes],
    ['core.v1.PersistentVolumeClaimStatus', 'accessModes', accessModes],
    ['core.v1.ResourceQuotaSpec', 'scopes', scopes],
    ['core.v1.ServiceSpec', 'ipFamilies', ['', 'IPv4', 'IPv6']],
    ['networking.v1.NetworkPolicySpec', 'policyTypes', ['Egress', 'Ingress']],
  ])('the elements of %s.%s are one of a choice', (type, name, choice) => {
    const { items, enum: ofList } = property(type, name);
    expect(items?.enum).toEqual(choice);
    expect(ofList).toBeUndefined();
  });

  test.each<[string, string, readonly string[]]>([
    ['core.v1.PodSpec', 'restartPolicy', ['Always', 'Never', 'OnFailure']],
    ['core.v1.HostPathVolumeSource', 'type', expect.arrayContaining(['', 'Directory'])],
    ['discovery.v1.EndpointPort', 'protocol', ['SCTP', 'TCP', 'UDP']],
    ['discovery.v1.EndpointSlice', 'addressType', ['FQDN', 'IPv4', 'IPv6']],
    ['networking.v1.HTTPIngressPath', 'pathType', ['Exact', 'ImplementationSpecific', 'Prefix']],
    ['networking.v1.IngressPortStatus', 'protocol', ['SCTP', 'TCP', 'UDP']],
    ['networking.v1.NetworkPolicyPort', 'protocol', ['SCTP', 'TCP', 'UDP']],
    ['resource.v1.DeviceSubRequest', 'allocationMode', ['All', 'ExactCount']],
    ['resource.v1.ExactDeviceRequest', 'allocationMode', ['All', 'ExactCount']],
    ['scheduling.v1.PriorityClass', 'preemptionPolicy', ['Never', 'PreemptLowerPriority']],
    ['storage.v1.StorageClass', 'reclaimPolicy', ['Delete', 'Recycle', 'Retain']],
  ])('%s.%s is one of a choice', (type, name, choice) => {
    expect(property(type, name).enum).toEqual(choice);
  });
});

test.each<[string, string, unknown]>([
  ['core.v1.ContainerPort', 'protocol', 'TCP'],
  ['core.v1.Container', 'name', ''],
  ['core.v1.ServicePort', 'port', 0],
])('only OpenAPI 3.0 has defaults: %s.%s is %j', (type, name, value) => {
  const of = (definitions: Definitions) => definitions[`io.k8s.api.${type}`]!.properties![name]!.default;
  expect(of(openApi)).toEqual(value);
  expect(of(swagger)).toBeUndefined();
});

test('the elements of a list with a choice have their default beside it in OpenAPI 3.0', () => {
  const modes = openApi['io.k8s.api.core.v1.PersistentVolumeClaimSpec']!.properties!.accessModes;
  expect(modes!.items).toEqual({ type: 'string', default: '', enum: accessModes });
});
