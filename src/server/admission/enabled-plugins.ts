import { goQuote } from '../../meta/go-quote.ts';

/** All plugins in execution order, as in kube-apiserver. The value states whether the plugin is on by default. */
const plugins = {
  AlwaysAdmit: false,
  NamespaceAutoProvision: false,
  NamespaceLifecycle: true,
  NamespaceExists: false,
  LimitPodHardAntiAffinityTopology: false,
  LimitRanger: true,
  ServiceAccount: true,
  /** On while nodes are authorized, or when it is requested. */
  NodeRestriction: true,
  TaintNodesByCondition: true,
  AlwaysPullImages: false,
  ImagePolicyWebhook: false,
  PodSecurity: true,
  PodNodeSelector: false,
  Priority: true,
  DefaultTolerationSeconds: true,
  PodTolerationRestriction: false,
  EventRateLimit: false,
  ExtendedResourceToleration: false,
  DefaultStorageClass: true,
  StorageObjectInUseProtection: true,
  PodGroupProtection: true,
  OwnerReferencesPermissionEnforcement: false,
  PersistentVolumeClaimResize: true,
  RuntimeClass: true,
  CertificateApproval: true,
  CertificateSigning: true,
  ClusterTrustBundleAttest: true,
  CertificateSubjectRestriction: true,
  DefaultIngressClass: true,
  DenyServiceExternalIPs: false,
  PodTopologyLabels: true,
  PodGroupWorkloadExists: true,
  NodeDeclaredFeatureValidator: true,
  JobValidation: true,
  PodResizeValidator: true,
  MutatingAdmissionPolicy: true,
  MutatingAdmissionWebhook: true,
  ValidatingAdmissionPolicy: true,
  ValidatingAdmissionWebhook: true,
  ResourceQuota: true,
  AlwaysDeny: false,
} as const satisfies Readonly<Record<string, boolean>>;

export type PluginName = keyof typeof plugins;

export const pluginOrder = Object.keys(plugins) as readonly PluginName[];

export interface PluginOptions {
  /**
   * Plugins that are on in addition to the default ones, by their names in kube-apiserver. The order does not matter.
   */
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** A file with an AdmissionConfiguration: the configurations of plugins. */
  readonly admissionControlConfigFile?: string;
}

export interface EnabledPlugins {
  has(name: PluginName): boolean;
  /** Whether an option names the plugin to enable it. */
  isRequested(name: PluginName): boolean;
}

/** Throws a RangeError for unknown names, and for names that are both enabled and disabled. */
export function enabledPlugins(options: PluginOptions): EnabledPlugins {
  const enable = new Set(options.enableAdmissionPlugins);
  const disable = new Set(options.disableAdmissionPlugins);
  const errors = [
    ...unknownNames('enable-admission-plugins', enable),
    ...unknownNames('disable-admission-plugins', disable),
  ];
  const both = [...enable].filter((name) => disable.has(name)).sort();
  if (both.length > 0) {
    errors.push(`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  }
  if (errors.length > 0) throw new RangeError(errors.join('; '));
  return {
    has: (name) => enable.has(name) || (plugins[name] && !disable.has(name)),
    isRequested: (name) => enable.has(name),
  };
}

export function isPluginName(name: string): name is PluginName {
  return Object.hasOwn(plugins, name);
}

function unknownNames(flag: string, names: ReadonlySet<string>): string[] {
  return [...names].filter((name) => !isPluginName(name)).map((name) => `${flag} plugin ${goQuote(name)} is unknown`);
}
