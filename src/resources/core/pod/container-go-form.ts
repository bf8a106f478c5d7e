import { goBool, goList, goNullable, goNumber, goPointer, goString, goStruct } from './go-form.ts';

const namedReference = { Name: goString };
const optionalReference = goPointer(goStruct({ ...namedReference, Optional: goNullable }));
const keySelector = goPointer(goStruct({ ...namedReference, Key: goString, Optional: goNullable }));

export const localReferenceForm = goStruct(namedReference);

export const fieldRefForm = goPointer(goStruct({ APIVersion: ['apiVersion', goString], FieldPath: goString }));
export const resourceFieldRefForm = goPointer(
  goStruct({ ContainerName: goString, Resource: goString, Divisor: goString }),
);

const environment = goStruct({
  Name: goString,
  Value: goString,
  ValueFrom: goPointer(
    goStruct({
      FieldRef: fieldRefForm,
      ResourceFieldRef: resourceFieldRefForm,
      ConfigMapKeyRef: keySelector,
      SecretKeyRef: keySelector,
      FileKeyRef: goPointer(goStruct({ VolumeName: goString, Path: goString, Key: goString, Optional: goNullable })),
    }),
  ),
});

const exec = goPointer(goStruct({ Command: goNullable }));
const httpGet = goPointer(
  goStruct({
    Path: goString,
    Port: goNumber,
    Host: goString,
    Scheme: goString,
    HTTPHeaders: ['httpHeaders', goList(goStruct({ Name: goString, Value: goString }))],
  }),
);
const tcpSocket = goPointer(goStruct({ Port: goNumber, Host: goString }));

const probe = goPointer(
  goStruct({
    Exec: exec,
    HTTPGet: httpGet,
    TCPSocket: tcpSocket,
    GRPC: goPointer(goStruct({ Port: goNumber, Service: goNullable })),
    InitialDelaySeconds: goNumber,
    TimeoutSeconds: goNumber,
    PeriodSeconds: goNumber,
    SuccessThreshold: goNumber,
    FailureThreshold: goNumber,
    TerminationGracePeriodSeconds: goNullable,
  }),
);

const hook = goPointer(
  goStruct({
    Exec: exec,
    HTTPGet: httpGet,
    TCPSocket: tcpSocket,
    Sleep: goPointer(goStruct({ Seconds: goNumber })),
  }),
);

export const profileForm = goStruct({ Type: goString, LocalhostProfile: goNullable });
export const seLinuxForm = goPointer(goStruct({ User: goString, Role: goString, Type: goString, Level: goString }));
export const windowsForm = goPointer(
  goStruct({
    GMSACredentialSpecName: ['gmsaCredentialSpecName', goNullable],
    GMSACredentialSpec: ['gmsaCredentialSpec', goNullable],
    RunAsUserName: goNullable,
    HostProcess: goNullable,
  }),
);

export const securityContextForm = goStruct({
  Capabilities: goPointer(goStruct({ Add: goNullable, Drop: goNullable })),
  Privileged: goNullable,
  SELinuxOptions: ['seLinuxOptions', seLinuxForm],
  WindowsOptions: windowsForm,
  RunAsUser: goNullable,
  RunAsGroup: goNullable,
  RunAsNonRoot: goNullable,
  ReadOnlyRootFilesystem: goNullable,
  AllowPrivilegeEscalation: goNullable,
  ProcMount: goNullable,
  SeccompProfile: goPointer(profileForm),
  AppArmorProfile: goPointer(profileForm),
});

export const resourcesForm = goStruct({
  Limits: goNullable,
  Requests: goNullable,
  Claims: goList(goStruct({ Name: goString, Request: goString })),
});

export const resizePolicyForm = goList(goStruct({ ResourceName: goString, RestartPolicy: goString }));

const containerFields = {
  Name: goString,
  Image: goString,
  Command: goNullable,
  Args: goNullable,
  WorkingDir: goString,
  Ports: goList(
    goStruct({
      Name: goString,
      HostPort: goNumber,
      ContainerPort: goNumber,
      Protocol: goString,
      HostIP: ['hostIP', goString],
    }),
  ),
  EnvFrom: goList(goStruct({ Prefix: goString, ConfigMapRef: optionalReference, SecretRef: optionalReference })),
  Env: goList(environment),
  Resources: resourcesForm,
  ResizePolicy: resizePolicyForm,
  RestartPolicy: goNullable,
  RestartPolicyRules: goList(
    goStruct({
      Action: goString,
      ExitCodes: goPointer(goStruct({ Operator: goString, Values: goNullable })),
    }),
  ),
  VolumeMounts: goList(
    goStruct({
      Name: goString,
      ReadOnly: goBool,
      RecursiveReadOnly: goNullable,
      MountPath: goString,
      SubPath: goString,
      MountPropagation: goNullable,
      SubPathExpr: goString,
    }),
  ),
  VolumeDevices: goList(goStruct({ Name: goString, DevicePath: goString })),
  LivenessProbe: probe,
  ReadinessProbe: probe,
  StartupProbe: probe,
  Lifecycle: goPointer(goStruct({ PostStart: hook, PreStop: hook, StopSignal: goNullable })),
  TerminationMessagePath: goString,
  TerminationMessagePolicy: goString,
  ImagePullPolicy: goString,
  SecurityContext: goPointer(securityContextForm),
  Stdin: goBool,
  StdinOnce: goBool,
  TTY: goBool,
} as const;

export const containerForm = goStruct(containerFields);
export const ephemeralContainerForm = goStruct({ ...containerFields, TargetContainerName: goString });
