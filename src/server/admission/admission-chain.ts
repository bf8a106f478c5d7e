import { AdmissionChain, AdmissionMetrics } from '../../admission/index.ts';
import type { Meter } from '../../meta/meter.ts';
import { serverUser } from '../../meta/user.ts';
import type { ResourceSet } from '../../registry/index.ts';
import type { OptionFiles } from '../files/option-files.ts';
import type { Permissions } from '../identity/index.ts';
import type { ResolvedOptions } from '../options.ts';
import type { AdmissionConfiguration } from './admission-configuration.ts';
import { admissionPlugins } from './admission-plugins.ts';
import { imagePolicyBackend } from './image-policy-backend.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const writer = { user: serverUser, fieldManager: 'kube-apiserver' };

export interface AdmissionChainDependencies {
  readonly options: ResolvedOptions;
  readonly files: OptionFiles;
  readonly permissions: Permissions;
  readonly admissionConfiguration: AdmissionConfiguration;
  readonly meter: Meter;
  /** Abort it to end the calls of webhooks. */
  readonly stopCalls: AbortSignal;
}

/** The plugins of the server. They use the resources with the first request. */
export function admissionChain(resources: ResourceSet, dependencies: AdmissionChainDependencies): AdmissionChain {
  const { options, files, permissions, admissionConfiguration: configuration, meter, stopCalls } = dependencies;
  const read = (path: string): Buffer => files.readNow(path);
  const metrics = new AdmissionMetrics(meter);
  const enabled = options.admissionPlugins;
  const plugins = admissionPlugins({
    objects: resources,
    permissions,
    enabled,
    stopCalls,
    configuration,
    metrics,
    meter,
    read,
    identity: options.identity,
    createNamespace: (name) => resources.create(namespaces, { metadata: { name } }, writer),
    typesOf: ({ group, version, kind }) =>
      resources.definitions.filter((type) => type.group === group && type.version === version && type.kind === kind),
    imagePolicy: enabled.has('ImagePolicyWebhook')
      ? imagePolicyBackend(configuration.ImagePolicyWebhook!, { meter, read, stop: stopCalls })
      : undefined,
  });
  return new AdmissionChain(plugins, resources, metrics);
}
