import type { ResourceObject } from '../../../meta/object.ts';

/** The security-relevant parts of a pod or pod template. */
export interface SecuredPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: SecuredPodSpec;
  /** All containers, in the order in which they are checked. */
  readonly containers: readonly SecuredContainer[];
}

export interface SecuredPodSpec {
  readonly initContainers?: readonly SecuredContainer[] | null;
  readonly containers?: readonly SecuredContainer[] | null;
  readonly ephemeralContainers?: readonly SecuredContainer[] | null;
  readonly volumes?: readonly (Readonly<Record<string, unknown>> & { readonly name?: string })[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostUsers?: boolean;
  readonly runtimeClassName?: string;
  readonly os?: { readonly name?: string };
  readonly securityContext?: SecurityContext & { readonly sysctls?: readonly { readonly name?: string }[] };
}

export interface SecuredContainer {
  readonly name?: string;
  readonly image?: string;
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly livenessProbe?: Handler;
  readonly readinessProbe?: Handler;
  readonly startupProbe?: Handler;
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler };
  readonly securityContext?: SecurityContext & {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly procMount?: string;
    readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  };
}

export interface Handler {
  readonly httpGet?: { readonly host?: string };
  readonly tcpSocket?: { readonly host?: string };
}

/** The security settings of a pod or container. */
export interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly appArmorProfile?: { readonly type?: string };
  readonly seccompProfile?: { readonly type?: string };
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
  readonly windowsOptions?: { readonly hostProcess?: boolean };
}

interface PodTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: SecuredPodSpec;
}

export function securedPod({ metadata, spec = {} }: PodTemplate): SecuredPod {
  const { initContainers, containers, ephemeralContainers } = spec;
  return {
    annotations: metadata?.annotations ?? {},
    spec,
    containers: [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])],
  };
}

/** The pod template of an object. Undefined for kinds without one. */
export function podOf(resource: string, object: ResourceObject): PodTemplate | undefined {
  const spec = (object.spec ?? {}) as { template?: PodTemplate; jobTemplate?: { spec?: { template?: PodTemplate } } };
  if (resource === 'pods') return object as PodTemplate;
  if (resource === 'podtemplates') return object.template as PodTemplate | undefined;
  return resource === 'cronjobs' ? spec.jobTemplate?.spec?.template : spec.template;
}
