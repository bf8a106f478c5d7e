import {
  containerForm,
  ephemeralContainerForm,
  localReferenceForm,
  profileForm,
  resourcesForm,
  seLinuxForm,
  windowsForm,
} from './container-go-form.ts';
import { goBool, goList, goNullable, goNumber, goPointer, goString, goStruct } from './go-form.ts';
import { volumeForm } from './volume-go-form.ts';

const requirement = goStruct({ Key: goString, Operator: goString, Values: goNullable });
export const nodeSelectorTermForm = goStruct({
  MatchExpressions: goList(requirement),
  MatchFields: goList(requirement),
});

const nodeAffinity = goPointer(
  goStruct({
    RequiredDuringSchedulingIgnoredDuringExecution: goPointer(
      goStruct({ NodeSelectorTerms: goList(nodeSelectorTermForm) }),
    ),
    PreferredDuringSchedulingIgnoredDuringExecution: goList(
      goStruct({ Weight: goNumber, Preference: nodeSelectorTermForm }),
    ),
  }),
);

const podAffinityTerm = goStruct({
  LabelSelector: goNullable,
  Namespaces: goNullable,
  TopologyKey: goString,
  NamespaceSelector: goNullable,
  MatchLabelKeys: goNullable,
  MismatchLabelKeys: goNullable,
});

const podAffinity = goPointer(
  goStruct({
    RequiredDuringSchedulingIgnoredDuringExecution: goList(podAffinityTerm),
    PreferredDuringSchedulingIgnoredDuringExecution: goList(
      goStruct({ Weight: goNumber, PodAffinityTerm: podAffinityTerm }),
    ),
  }),
);

/** The namespaces of the node, which clients write beside it, belong to the security context. */
const securityContext = goStruct({
  HostNetwork: goBool,
  HostPID: ['hostPID', goBool],
  HostIPC: ['hostIPC', goBool],
  ShareProcessNamespace: goNullable,
  HostUsers: goNullable,
  SELinuxOptions: ['seLinuxOptions', seLinuxForm],
  WindowsOptions: windowsForm,
  RunAsUser: goNullable,
  RunAsGroup: goNullable,
  RunAsNonRoot: goNullable,
  SupplementalGroups: goNullable,
  SupplementalGroupsPolicy: goNullable,
  FSGroup: ['fsGroup', goNullable],
  FSGroupChangePolicy: ['fsGroupChangePolicy', goNullable],
  Sysctls: goList(goStruct({ Name: goString, Value: goString })),
  SeccompProfile: goPointer(profileForm),
  AppArmorProfile: goPointer(profileForm),
  SELinuxChangePolicy: ['seLinuxChangePolicy', goNullable],
});

export const podResourceClaimForm = goStruct({
  Name: goString,
  ResourceClaimName: goNullable,
  ResourceClaimTemplateName: goNullable,
});

const named = goList(goStruct({ Name: goString }));

const form = goStruct({
  Volumes: goList(volumeForm),
  InitContainers: goList(containerForm),
  Containers: goList(containerForm),
  EphemeralContainers: goList(ephemeralContainerForm),
  RestartPolicy: goString,
  TerminationGracePeriodSeconds: goNullable,
  ActiveDeadlineSeconds: goNullable,
  DNSPolicy: goString,
  NodeSelector: goNullable,
  ServiceAccountName: goString,
  AutomountServiceAccountToken: goNullable,
  NodeName: goString,
  SecurityContext: goPointer(securityContext),
  ImagePullSecrets: goList(localReferenceForm),
  Hostname: goString,
  Subdomain: goString,
  SetHostnameAsFQDN: ['setHostnameAsFQDN', goNullable],
  Affinity: goPointer(goStruct({ NodeAffinity: nodeAffinity, PodAffinity: podAffinity, PodAntiAffinity: podAffinity })),
  SchedulerName: goString,
  Tolerations: goList(
    goStruct({
      Key: goString,
      Operator: goString,
      Value: goString,
      Effect: goString,
      TolerationSeconds: goNullable,
    }),
  ),
  HostAliases: goList(goStruct({ IP: goString, Hostnames: goNullable })),
  PriorityClassName: goString,
  Priority: goNullable,
  PreemptionPolicy: goNullable,
  DNSConfig: goPointer(
    goStruct({
      Nameservers: goNullable,
      Searches: goNullable,
      Options: goList(goStruct({ Name: goString, Value: goNullable })),
    }),
  ),
  ReadinessGates: goList(goStruct({ ConditionType: goString })),
  RuntimeClassName: goNullable,
  Overhead: goNullable,
  EnableServiceLinks: goNullable,
  TopologySpreadConstraints: goList(
    goStruct({
      MaxSkew: goNumber,
      TopologyKey: goString,
      WhenUnsatisfiable: goString,
      LabelSelector: goNullable,
      MinDomains: goNullable,
      NodeAffinityPolicy: goNullable,
      NodeTaintsPolicy: goNullable,
      MatchLabelKeys: goNullable,
    }),
  ),
  OS: goPointer(goStruct({ Name: goString })),
  SchedulingGates: named,
  ResourceClaims: goList(podResourceClaimForm),
  Resources: goPointer(resourcesForm),
  HostnameOverride: goNullable,
  SchedulingGroup: goNullable,
});

export function podSpecGoForm(spec: object): unknown {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext, ...rest } = spec as Record<
    string,
    unknown
  >;
  const host = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  return form({ ...rest, securityContext: { ...host, ...(securityContext as object | undefined) } });
}

export function ephemeralContainerGoForm(container: object): unknown {
  return ephemeralContainerForm(container);
}
