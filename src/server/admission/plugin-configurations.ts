import { resolve } from 'node:path';
import {
  type EventLimit,
  eventLimitTypes,
  type LimitedResource,
  type NodeSelectorConfiguration,
  type PodSecurityConfiguration,
  readTolerations,
  type ScopeRequirement,
  securityLevels,
  securityVersionPattern,
  type Toleration,
  type TolerationConfiguration,
} from '../../admission/index.ts';
import type { CollectedFindings, ConfigurationFields } from '../../codec/configuration/index.ts';
import { formatDuration } from '../../meta/duration.ts';
import { duplicateValue, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../meta/names.ts';
import type { WebhookConfiguration } from './admission-webhook-clients.ts';

export type PluginFields = ConfigurationFields<CollectedFindings>;

export interface ReaderOptions {
  /** Whether the plugin has a configuration. Otherwise all fields have their defaults. */
  readonly isGiven: boolean;
  /** The directory to which paths in the configuration are relative. */
  readonly directory: string;
}

export interface ImagePolicyConfiguration {
  readonly kubeConfigFile: string;
  readonly allowMs: number;
  readonly denyMs: number;
  readonly retryBackoffMs: number;
  readonly defaultAllow: boolean;
}

/** Reads the configuration of each plugin that has one. Errors are added to the findings of the fields. */
export const pluginReaders = {
  EventRateLimit: readEventLimits,
  ImagePolicyWebhook: readImagePolicy,
  PodNodeSelector: (fields: PluginFields): NodeSelectorConfiguration => fields.textMap('podNodeSelectorPluginConfig'),
  PodSecurity: readPodSecurity,
  PodTolerationRestriction: readTolerationLists,
  ResourceQuota: readLimitedResources,
  MutatingAdmissionWebhook: readWebhookAdmission,
  ValidatingAdmissionWebhook: readWebhookAdmission,
} as const;

/** Throws a RangeError when the document is of another kind. */
export function checkKind(fields: PluginFields, kind: string, versions: readonly string[]): void {
  const apiVersion = fields.text('apiVersion');
  if (fields.text('kind') === kind && versions.includes(apiVersion)) return;
  throw new RangeError(`must be of kind ${goQuote(kind)} and apiVersion ${goQuote(versions[0]!)}`);
}

const defaultCacheSize = 4096;

function readEventLimits(fields: PluginFields, { isGiven }: ReaderOptions): EventLimit[] {
  if (isGiven) checkKind(fields, 'Configuration', ['eventratelimit.admission.k8s.io/v1alpha1']);
  const items = fields.objects('limits');
  if (items.length === 0) fields.findings.add(invalidValue(fields.path('limits'), [], 'must not be empty'));
  return items.map((item) => {
    const type = item.text('type');
    const known = eventLimitTypes.find((one) => one === type);
    if (known === undefined) item.findings.add(notSupportedValue(item.path('type'), type, eventLimitTypes));
    const positive = (name: string): number => {
      const value = item.integer(name) ?? 0;
      if (value <= 0) item.findings.add(invalidValue(item.path(name), value, 'must be positive'));
      return value;
    };
    const cacheSize = item.integer('cacheSize') ?? 0;
    if (cacheSize < 0) item.findings.add(invalidValue(item.path('cacheSize'), cacheSize, 'must not be negative'));
    const burst = positive('burst');
    return { type: known ?? 'Server', burst, qps: positive('qps'), cacheSize: cacheSize || defaultCacheSize };
  });
}

function readImagePolicy(root: PluginFields, { directory }: ReaderOptions): ImagePolicyConfiguration {
  const fields = root.object('imagePolicy');
  const kubeConfigFile = fields.text('kubeConfigFile');
  if (kubeConfigFile === '') fields.findings.add(requiredValue(fields.path('kubeConfigFile')));
  const minute = 60_000;
  return {
    kubeConfigFile: resolve(directory, kubeConfigFile),
    retryBackoffMs: readTime(fields, 'retryBackoff', { unitMs: 1, minMs: 0, maxMs: 5 * minute, defaultMs: 500 }),
    allowMs: readTime(fields, 'allowTTL', { unitMs: 1000, minMs: 1000, maxMs: 30 * minute, defaultMs: 5 * minute }),
    denyMs: readTime(fields, 'denyTTL', { unitMs: 1000, minMs: 1000, maxMs: 30 * minute, defaultMs: 30_000 }),
    defaultAllow: fields.flag('defaultAllow') ?? false,
  };
}

interface TimeRange {
  readonly unitMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  readonly defaultMs: number;
}

/** Reads a time in milliseconds. 0 in the file means the default, and -1 means zero milliseconds. */
function readTime(fields: PluginFields, name: string, { unitMs, minMs, maxMs, defaultMs }: TimeRange): number {
  const value = fields.integer(name) ?? 0;
  if (value === 0) return defaultMs;
  if (value === -1) return 0;
  const time = value * unitMs;
  if (time <= minMs || time > maxMs) {
    const [min, max, found] = [minMs, maxMs, time].map((milliseconds) =>
      formatDuration(BigInt(milliseconds) * 1_000_000n),
    );
    const detail = `valid value is between ${min} and ${max}, got ${found}`;
    fields.findings.add(invalidValue(fields.path(name), value, detail));
  }
  return time;
}

function readWebhookAdmission(fields: PluginFields, { isGiven, directory }: ReaderOptions): WebhookConfiguration {
  if (isGiven) checkKind(fields, 'WebhookAdmissionConfiguration', ['apiserver.config.k8s.io/v1']);
  const manifests = fields.text('staticManifestsDir');
  if (manifests !== '') {
    const detail = 'configurations from files are not supported: create them through the API';
    fields.findings.add(invalidValue(fields.path('staticManifestsDir'), manifests, detail));
  }
  const file = fields.text('kubeConfigFile');
  return { kubeConfigFile: file === '' ? undefined : resolve(directory, file) };
}

function readPodSecurity(root: PluginFields, { isGiven }: ReaderOptions): PodSecurityConfiguration {
  const group = 'pod-security.admission.config.k8s.io';
  if (isGiven)
    checkKind(
      root,
      'PodSecurityConfiguration',
      ['v1', 'v1beta1', 'v1alpha1'].map((one) => `${group}/${one}`),
    );
  const defaults = root.object('defaults');
  const standard = (mode: string) => {
    const level = defaults.text(mode) || 'privileged';
    const version = defaults.text(`${mode}-version`) || 'latest';
    const known = securityLevels.find((one) => one === level);
    if (known === undefined) {
      const detail = `must be one of ${securityLevels.join(', ')}`;
      root.findings.add(invalidValue(defaults.path(mode), level, detail));
    }
    if (version !== 'latest' && !securityVersionPattern.test(version)) {
      const path = defaults.path(`${mode}-version`);
      root.findings.add(invalidValue(path, version, 'must be "latest" or "v1.x"'));
    }
    return { level: known ?? 'privileged', version };
  };
  const [enforce, audit, warn] = ['enforce', 'audit', 'warn'].map(standard);
  const exemptions = root.object('exemptions');
  const names = (name: string, check: (text: string) => readonly string[]): Set<string> => {
    const known = new Set<string>();
    exemptions.texts(name).forEach((text, index) => {
      const path = `${exemptions.path(name)}[${index}]`;
      const problems = check(text);
      if (problems.length > 0) root.findings.add(invalidValue(path, text, problems.join(', ')));
      else if (known.has(text)) root.findings.add(duplicateValue(path, text));
      known.add(text);
    });
    return known;
  };
  return {
    defaults: { enforce: enforce!, audit: audit!, warn: warn! },
    exemptions: {
      usernames: names('usernames', (text) => (text === '' ? ['username must not be empty'] : [])),
      namespaces: names('namespaces', dnsLabelErrors),
      runtimeClasses: names('runtimeClasses', dnsSubdomainErrors),
    },
  };
}

function readTolerationLists(fields: PluginFields, { isGiven }: ReaderOptions): TolerationConfiguration {
  if (isGiven) checkKind(fields, 'Configuration', ['podtolerationrestriction.admission.k8s.io/v1alpha1']);
  const list = (name: string): Toleration[] => {
    try {
      return readTolerations(fields.value(name) ?? []);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      fields.findings.add(invalidValue(fields.path(name), fields.value(name), error.message));
      return [];
    }
  };
  return { defaults: list('default'), allowed: list('whitelist') };
}

function readLimitedResources(fields: PluginFields, { isGiven }: ReaderOptions): LimitedResource[] {
  const versions = [
    'apiserver.config.k8s.io/v1',
    'resourcequota.admission.k8s.io/v1beta1',
    'resourcequota.admission.k8s.io/v1alpha1',
  ];
  if (isGiven) {
    const isNew = fields.text('apiVersion') === versions[0];
    checkKind(fields, isNew ? 'ResourceQuotaConfiguration' : 'Configuration', isNew ? versions : versions.slice(1));
  }
  return fields.objects('limitedResources').map((item) => {
    const resource = item.text('resource');
    if (resource === '') item.findings.add(requiredValue(item.path('resource')));
    return {
      group: item.text('apiGroup'),
      resource,
      matchContains: item.texts('matchContains'),
      matchScopes: item.objects('matchScopes').map(readScope),
    };
  });
}

function readScope(fields: PluginFields): ScopeRequirement {
  const scopeName = fields.text('scopeName');
  if (scopeName === '') fields.findings.add(requiredValue(fields.path('scopeName')));
  return { scopeName, operator: fields.text('operator'), values: fields.texts('values') };
}
