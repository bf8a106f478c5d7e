import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { filesOnDisk } from '../files/option-files.ts';
import { type AdmissionConfiguration, loadAdmissionConfiguration } from './admission-configuration.ts';
import { enabledPlugins } from './enabled-plugins.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-admission-'));
  return () => rm(directory, { recursive: true, force: true });
});

interface Plugin {
  readonly name?: unknown;
  readonly path?: unknown;
  readonly configuration?: unknown;
}

async function load(plugins: readonly Plugin[], enable: readonly string[] = []): Promise<AdmissionConfiguration> {
  const file = join(directory, 'admission.yaml');
  const document = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins };
  await writeFile(file, JSON.stringify(document));
  return loadAdmissionConfiguration(file, {
    enabled: enabledPlugins({ enableAdmissionPlugins: enable }),
    files: filesOnDisk,
  });
}

const limits = { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration' };
const security = { apiVersion: 'pod-security.admission.config.k8s.io/v1', kind: 'PodSecurityConfiguration' };
const quotas = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'ResourceQuotaConfiguration' };
const webhooks = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration' };
const tolerations = { apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1', kind: 'Configuration' };

it('has the defaults of enabled plugins without a file', async () => {
  const free = { level: 'privileged', version: 'latest' };
  const enabled = enabledPlugins({ enableAdmissionPlugins: ['PodNodeSelector'] });
  expect(await loadAdmissionConfiguration(undefined, { enabled, files: filesOnDisk })).toEqual({
    PodNodeSelector: {},
    PodSecurity: {
      defaults: { enforce: free, audit: free, warn: free },
      exemptions: { usernames: new Set(), namespaces: new Set(), runtimeClasses: new Set() },
    },
    ResourceQuota: [],
    MutatingAdmissionWebhook: { kubeConfigFile: undefined },
    ValidatingAdmissionWebhook: { kubeConfigFile: undefined },
  });
});

it('reads every configuration', async () => {
  const configuration = await load([
    { name: 'EventRateLimit', configuration: { ...limits, limits: [{ type: 'User', qps: 5, burst: 50 }] } },
    {
      name: 'ImagePolicyWebhook',
      configuration: {
        imagePolicy: { kubeConfigFile: 'image.kubeconfig', allowTTL: 60, denyTTL: -1, defaultAllow: true },
      },
    },
    {
      name: 'PodNodeSelector',
      configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b', ns: 'c=d' } },
    },
    {
      name: 'PodSecurity',
      configuration: {
        ...security,
        defaults: { enforce: 'baseline', 'enforce-version': 'v1.30' },
        exemptions: { usernames: ['jane'], namespaces: ['kube-system'], runtimeClasses: ['kata'] },
      },
    },
    {
      name: 'PodTolerationRestriction',
      configuration: { ...tolerations, default: [{ key: 'a', operator: 'Exists' }], whitelist: [] },
    },
    {
      name: 'ResourceQuota',
      configuration: {
        ...quotas,
        limitedResources: [
          {
            resource: 'pods',
            matchContains: ['cpu'],
            matchScopes: [{ scopeName: 'PriorityClass', operator: 'Exists' }],
          },
        ],
      },
    },
    { name: 'MutatingAdmissionWebhook', configuration: { ...webhooks, kubeConfigFile: 'hooks.kubeconfig' } },
    { name: 'LimitRanger' },
  ]);
  expect(configuration).toEqual({
    EventRateLimit: [{ type: 'User', qps: 5, burst: 50, cacheSize: 4096 }],
    ImagePolicyWebhook: {
      kubeConfigFile: join(directory, 'image.kubeconfig'),
      allowMs: 60_000,
      denyMs: 0,
      retryBackoffMs: 500,
      defaultAllow: true,
    },
    PodNodeSelector: { clusterDefaultNodeSelector: 'a=b', ns: 'c=d' },
    PodSecurity: {
      defaults: {
        enforce: { level: 'baseline', version: 'v1.30' },
        audit: { level: 'privileged', version: 'latest' },
        warn: { level: 'privileged', version: 'latest' },
      },
      exemptions: {
        usernames: new Set(['jane']),
        namespaces: new Set(['kube-system']),
        runtimeClasses: new Set(['kata']),
      },
    },
    PodTolerationRestriction: { defaults: [{ key: 'a', operator: 'Exists' }], allowed: [] },
    ResourceQuota: [
      {
        group: '',
        resource: 'pods',
        matchContains: ['cpu'],
        matchScopes: [{ scopeName: 'PriorityClass', operator: 'Exists', values: [] }],
      },
    ],
    MutatingAdmissionWebhook: { kubeConfigFile: join(directory, 'hooks.kubeconfig') },
    ValidatingAdmissionWebhook: { kubeConfigFile: undefined },
  });
});

it('reads a file of its own, relative to the first one', async () => {
  await writeFile(join(directory, 'selectors.yaml'), 'podNodeSelectorPluginConfig:\n  ns: a=b\n');
  expect(await load([{ name: 'PodNodeSelector', path: 'selectors.yaml' }])).toMatchObject({
    PodNodeSelector: { ns: 'a=b' },
  });
});

it.each<[plugins: readonly Plugin[], message: string]>([
  [[{ name: 'Gadget' }], 'plugins[0].name: Invalid value: "Gadget": unknown admission plugin'],
  [[{}], 'plugins[0].name: Required value'],
  [[{ name: 'Priority' }, { name: 'Priority' }], 'plugins[1].name: Duplicate value: "Priority"'],
  [
    [{ name: 'Priority', configuration: {} }],
    'plugins[0].name: Invalid value: "Priority": this plugin has no configuration',
  ],
  [
    [{ name: 'PodNodeSelector', path: 'x', configuration: {} }],
    'plugins[0].path: Invalid value: "x": must not be set together with configuration',
  ],
  [
    [{ name: 'PodNodeSelector', configuration: { other: 1 } }],
    'PodNodeSelector: strict decoding error: unknown field "other"',
  ],
  [[{ name: 'PodNodeSelector', path: 'missing.yaml' }], 'ENOENT'],
  [[{ name: 'PodSecurity', configuration: { kind: 'Other' } }], 'must be of kind "PodSecurityConfiguration"'],
  [
    [{ name: 'PodSecurity', configuration: { ...security, defaults: { enforce: 'high', 'warn-version': 'v2' } } }],
    'PodSecurity: [defaults.enforce: Invalid value: "high": must be one of privileged, baseline, restricted, defaults.warn-version: Invalid value: "v2": must be "latest" or "v1.x"]',
  ],
  [
    [
      {
        name: 'PodSecurity',
        configuration: { ...security, exemptions: { namespaces: ['a', 'a', 'B'], usernames: [''] } },
      },
    ],
    'exemptions.namespaces[1]: Duplicate value: "a"',
  ],
  [[{ name: 'EventRateLimit', configuration: limits }], 'EventRateLimit: limits: Invalid value: []: must not be empty'],
  [
    [
      {
        name: 'EventRateLimit',
        configuration: { ...limits, limits: [{ type: 'X', qps: 0, burst: 1, cacheSize: -1 }] },
      },
    ],
    'limits[0].type: Unsupported value: "X": supported values: "Server", "Namespace", "User", "SourceAndObject"',
  ],
  [[{ name: 'ImagePolicyWebhook', configuration: {} }], 'imagePolicy.kubeConfigFile: Required value'],
  [
    [{ name: 'ImagePolicyWebhook', configuration: { imagePolicy: { kubeConfigFile: 'x', allowTTL: 9999 } } }],
    'imagePolicy.allowTTL: Invalid value: 9999: valid value is between 1s and 30m0s, got 2h46m39s',
  ],
  [
    [{ name: 'PodTolerationRestriction', configuration: { ...tolerations, default: [1] } }],
    'default: Invalid value: [1]: a toleration must be an object',
  ],
  [
    [{ name: 'ResourceQuota', configuration: { ...quotas, limitedResources: [{}] } }],
    'limitedResources[0].resource: Required value',
  ],
])('refuses %j', async (plugins, message) => {
  const refusal = await load(plugins).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RangeError);
  expect((refusal as Error).message).toContain('admission-control-config-file: ');
  expect((refusal as Error).message).toContain(message);
});

it.each(['EventRateLimit', 'ImagePolicyWebhook'])('refuses %s without its configuration', async (name) => {
  await expect(load([], [name])).rejects.toThrow(`admission-control-config-file: ${name}: `);
});

it.each(['kind: Other', '- a', 'a: [', ''])('refuses the document %j', async (text) => {
  const file = join(directory, 'other.yaml');
  await writeFile(file, text);
  await expect(loadAdmissionConfiguration(file, { enabled: enabledPlugins({}), files: filesOnDisk })).rejects.toThrow(
    RangeError,
  );
});
