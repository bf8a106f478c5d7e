import type { TypeTexts } from './type-texts.ts';

const container = {
  name: 'Name of the container, unique in the pod. A DNS label; it cannot be changed.',
  image: 'The image to run, such as `registry.example.com/app:1.2`.',
  command:
    'Replaces the entry point of the image. `$(NAME)` is replaced by environment variables; `$$(NAME)` is not. No ' +
    'shell is involved.',
  args: 'Replaces the arguments of the image. `$(NAME)` is replaced by environment variables; `$$(NAME)` is not.',
  workingDir: 'Directory in which the command starts. Default: that of the image.',
  ports: 'Ports on which the container listens. A port that is not listed is reachable all the same.',
  envFrom: 'Environment variables from whole config maps and secrets. The last source wins, and `env` wins over all.',
  env: 'Environment variables.',
  resources: 'CPU, memory and other resources that the container needs and may use.',
  resizePolicy: 'Whether a change of a resource restarts the container. Default: it does not.',
  restartPolicy:
    'Overrides the restart policy of the pod. Always makes an init container a sidecar that runs as long as the pod.',
  restartPolicyRules:
    'Rules about exit codes, evaluated in order. The first that matches decides; if none does, `restartPolicy` does.',
  volumeMounts: 'Volumes of the pod, mounted into the file system of the container.',
  volumeDevices: 'Volumes of the pod that the container uses as raw block devices.',
  livenessProbe: 'Restarts the container when it fails.',
  readinessProbe: 'Takes the pod out of services while it fails.',
  startupProbe: 'Holds back the other probes until it succeeds once. If it fails, the container is restarted.',
  lifecycle: 'Actions after the start and before the stop of the container.',
  terminationMessagePath:
    'File in which the container may leave a last message, at most 4096 bytes. Default `/dev/termination-log`.',
  terminationMessagePolicy:
    'File reads the message from the file only. FallbackToLogsOnError takes the end of the log if the container ' +
    'failed without one. Default File.',
  imagePullPolicy: 'Always, IfNotPresent or Never. Default Always for the tag `latest` or no tag, else IfNotPresent.',
  securityContext: 'Security settings of the container. They override those of the pod.',
  stdin: 'Keep the input open, so that one can attach to it. Default false: reads end at once.',
  stdinOnce: 'Close the input after the first attached client has gone. Default false.',
  tty: 'Give the container a terminal. Needs `stdin`. Default false.',
};

const secretOrKey = 'Do not fail if the object or the key is missing. Default false.';

/** Containers: commands, environment, probes, security and status. */
export const coreV1Containers: TypeTexts = {
  AppArmorProfile: {
    '': 'Which AppArmor profile confines a container.',
    type: 'Localhost (a profile of the node), RuntimeDefault (that of the container runtime) or Unconfined.',
    localhostProfile:
      'Name of the profile, which must be loaded on the node. Only with type Localhost, and required there.',
  },
  Capabilities: {
    '': 'Linux capabilities to add to and drop from those that the container runtime grants.',
    add: 'Capabilities to add, such as `NET_ADMIN`.',
    drop: 'Capabilities to drop. `ALL` drops every one.',
  },
  ConfigMapEnvSource: {
    '': 'All entries of a config map as environment variables.',
    optional: 'Do not fail if the config map is missing. Default false.',
  },
  ConfigMapKeySelector: {
    '': 'An entry of a config map.',
    key: 'The key of the entry.',
    optional: secretOrKey,
  },
  Container: { '': 'A container of a pod.', ...container },
  ContainerPort: {
    '': 'A port on which a container listens.',
    name: 'Name for the port, unique in the pod. Services and probes can use it instead of the number.',
    hostPort: 'The same port on the node, 1 to 65535. With `hostNetwork` it must equal `containerPort`.',
    containerPort: 'Number of the port, 1 to 65535.',
    protocol: 'TCP, UDP or SCTP. Default TCP.',
    hostIP: 'Address of the node to which the host port is bound.',
  },
  ContainerResizePolicy: {
    '': 'What a change of a resource does to a running container.',
    resourceName: 'The resource: cpu or memory.',
    restartPolicy: 'NotRequired changes it in place, RestartContainer restarts the container.',
  },
  ContainerRestartRule: {
    '': 'What to do when a container has ended in a certain way.',
    action: 'Restart starts the container again. RestartAllContainers restarts all containers of the pod.',
    exitCodes: 'The exit codes to which the rule applies.',
  },
  ContainerRestartRuleOnExitCodes: {
    '': 'A set of exit codes.',
    operator: 'In matches the listed codes, NotIn all others.',
    values: 'The codes, unique. At most 255.',
  },
  ContainerState: {
    '': 'The state of a container. One field at most is set; without any the container waits.',
    waiting: 'The container has not started.',
    running: 'The container runs.',
    terminated: 'The container has ended.',
  },
  ContainerStateRunning: {
    '': 'A running container.',
    startedAt: 'When the container was started.',
  },
  ContainerStateTerminated: {
    '': 'A container that has ended.',
    exitCode: 'Exit code of the main process.',
    signal: 'Signal that ended the process.',
    reason: 'Why it ended, as one word such as Completed, Error or OOMKilled.',
    message: 'Last message of the container.',
    startedAt: 'When the container was started.',
    finishedAt: 'When it ended.',
    containerID: 'Runtime and ID of the container, as `<runtime>://<id>`.',
  },
  ContainerStateWaiting: {
    '': 'A container that has not started.',
    reason: 'Why, as one word such as ContainerCreating or ImagePullBackOff.',
    message: 'Why, in detail.',
  },
  ContainerStatus: {
    '': 'The state of one container of a pod.',
    name: 'Name of the container.',
    state: 'What it does now.',
    lastState: 'How its previous instance ended.',
    ready: 'Whether it passes its readiness probe. Without one: whether it has started.',
    restartCount: 'How often it has been restarted. Computed from the dead instances that the node still knows.',
    image: 'The image it runs. The runtime may write the name differently from the spec.',
    imageID: 'Identifies the content of the image.',
    containerID: 'Runtime and ID of the container, as `<runtime>://<id>`.',
    started: 'Whether the start hook has finished and the startup probe has succeeded.',
    allocatedResources: 'Requests that the node has granted.',
    resources: 'Requests and limits that are in effect.',
    volumeMounts: 'Volumes that are mounted.',
    user: 'User and groups that the first process started with.',
    allocatedResourcesStatus: 'Health of the devices that the container was given.',
    stopSignal: 'Signal that stops the container.',
  },
  ContainerUser: {
    '': 'The identity of the first process of a container.',
    linux: 'User and groups on Linux.',
  },
  EnvFromSource: {
    '': 'A config map or secret whose entries become environment variables.',
    prefix: 'Put before each name.',
    configMapRef: 'The config map.',
    secretRef: 'The secret.',
  },
  EnvVar: {
    '': 'An environment variable.',
    name: 'Name of the variable: any printable ASCII characters except `=`.',
    value: 'The value. `$(NAME)` is replaced by variables that are defined before; `$$(NAME)` is not.',
    valueFrom: 'Takes the value from elsewhere. Only without `value`.',
  },
  EnvVarSource: {
    '': 'Where the value of an environment variable comes from. Exactly one field is set.',
    fieldRef: 'A field of the pod, such as `metadata.name` or `status.podIP`.',
    resourceFieldRef: 'A limit or request of a container.',
    configMapKeyRef: 'An entry of a config map.',
    secretKeyRef: 'An entry of a secret.',
    fileKeyRef: 'A variable in a file on an emptyDir volume, written by an init container.',
  },
  EphemeralContainer: {
    '':
      'A temporary container in a running pod, for debugging. It has no guaranteed resources, is never restarted, ' +
      'and cannot be changed or removed.',
    targetContainerName:
      'The container whose processes are visible to this one, if the runtime supports it. Default: the process ' +
      'namespace that the pod configures.',
  },
  EphemeralContainerCommon: {
    '': 'The fields that ephemeral containers share with others.',
    ...container,
    name: 'Name of the container, unique among all containers of the pod.',
    ports: 'Not allowed for ephemeral containers.',
    resources: 'Not allowed for ephemeral containers. They use what is left of the resources of the pod.',
    resizePolicy: 'Not allowed for ephemeral containers.',
    restartPolicy: 'Not allowed for ephemeral containers.',
    restartPolicyRules: 'Not allowed for ephemeral containers.',
    volumeMounts: 'Volumes of the pod to mount. Mounts of a subpath are not allowed.',
    livenessProbe: 'Not allowed for ephemeral containers.',
    readinessProbe: 'Not allowed for ephemeral containers.',
    startupProbe: 'Not allowed for ephemeral containers.',
    lifecycle: 'Not allowed for ephemeral containers.',
  },
  ExecAction: {
    '': 'Runs a command in the container. Exit code zero is success.',
    command: 'The command and its arguments. No shell is involved. It starts in `/`.',
  },
  FileKeySelector: {
    '': 'A variable in a file of environment variables.',
    volumeName: 'The volume with the file. It must be an emptyDir.',
    path: 'Path of the file within the volume. Relative and without `..`.',
    key: 'Name of the variable.',
    optional: 'Do not fail if the file or the variable is missing. Default false.',
  },
  GRPCAction: {
    '': 'Asks the gRPC health service of the container.',
    port: 'Port of the service, 1 to 65535.',
    service: 'Name of the service in the health request. Default empty.',
  },
  HTTPGetAction: {
    '': 'Sends a GET request. A status from 200 to 399 is success.',
    path: 'Path of the request.',
    port: 'Number or name of the port.',
    host: 'Host to connect to. Default: the address of the pod. To set the header, use `httpHeaders`.',
    scheme: 'HTTP or HTTPS. Default HTTP. Certificates are not verified.',
    httpHeaders: 'Headers of the request. A name may occur more than once.',
  },
  HTTPHeader: {
    '': 'A header of a request.',
    name: 'Name of the header.',
    value: 'Value of the header.',
  },
  Lifecycle: {
    '': 'Actions of the kubelet at the start and stop of a container.',
    postStart: 'Runs right after the start. If it fails, the container is stopped and restarted by its policy.',
    preStop: 'Runs before the container is stopped. Its time counts as part of the grace period.',
    stopSignal: 'Signal that stops the container. Default: that of the image. Needs `os.name` in the pod.',
  },
  LifecycleHandler: {
    '': 'An action at the start or stop of a container. Exactly one field is set.',
    exec: 'Run a command in the container.',
    httpGet: 'Send a GET request.',
    tcpSocket: 'Deprecated; it fails when it is run.',
    sleep: 'Wait.',
  },
  LinuxContainerUser: {
    '': 'User and groups of a process on Linux.',
    uid: 'User ID.',
    gid: 'Primary group ID.',
    supplementalGroups: 'Further group IDs.',
  },
  PodSecurityContext: {
    '': 'Security settings for a pod and, as defaults, for its containers.',
    seLinuxOptions: 'SELinux context of the containers. Default: the runtime picks one for each container.',
    windowsOptions: 'Settings for Windows. Not with `os.name` linux.',
    runAsUser: 'User ID of the processes. Default: the user of the image.',
    runAsGroup: 'Primary group ID of the processes. Default: that of the runtime.',
    runAsNonRoot: 'Refuse to start containers that would run as user 0.',
    supplementalGroups: 'Group IDs of the processes, beside the primary one and `fsGroup`.',
    supplementalGroupsPolicy:
      'Merge also adds the groups that the image gives the user, Strict does not. Default Merge.',
    fsGroup:
      'Group ID that owns the volumes of the pod, where a volume supports it. New files in them get it too, and ' +
      'processes belong to it.',
    sysctls: 'Kernel parameters of the pod.',
    fsGroupChangePolicy:
      'When the ownership of a volume is changed to `fsGroup`: OnRootMismatch (only if its root differs) or Always. ' +
      'Default Always.',
    seccompProfile: 'Restricts the system calls of the containers.',
    appArmorProfile: 'AppArmor profile of the containers.',
    seLinuxChangePolicy:
      'How volumes get the SELinux label: MountOption (all at once) or Recursive (file by file). Default ' +
      'MountOption, where that is possible.',
  },
  Probe: {
    '': 'A check that the kubelet repeats on a container.',
    initialDelaySeconds: 'Seconds after the start of the container before the first check. Default 0.',
    timeoutSeconds: 'Seconds after which a check without answer has failed. Default 1.',
    periodSeconds: 'Seconds between checks. Default 10.',
    successThreshold:
      'Successes in a row that make a failed probe succeed. Default 1, which liveness and startup probes must have.',
    failureThreshold: 'Failures in a row that make the probe fail. Default 3.',
    terminationGracePeriodSeconds:
      'Seconds the container has to stop when the probe fails. Default: that of the pod. Not for readiness probes.',
  },
  ProbeHandler: {
    '': 'How a probe checks. Exactly one field is set.',
    exec: 'Run a command in the container.',
    httpGet: 'Send a GET request.',
    tcpSocket: 'Open a TCP connection.',
    grpc: 'Ask a gRPC health service.',
  },
  ResourceClaim: {
    '': 'Gives a container access to a resource claim of the pod.',
    name: 'Name of the entry in `spec.resourceClaims` of the pod.',
    request: 'The request of the claim whose devices the container gets. Default: all of them.',
  },
  ResourceFieldSelector: {
    '': 'A limit or request of a container.',
    containerName: 'The container. Required for volumes; in environment variables default is the container itself.',
    resource: 'Which value, such as `limits.cpu` or `requests.memory`.',
    divisor: 'Unit of the result: the value is divided by it and rounded up. Default 1.',
  },
  ResourceHealth: {
    '': 'The health of a device.',
    resourceID: 'Identifies the device.',
    health: 'Healthy, Unhealthy or Unknown.',
    message: 'Details for people.',
  },
  ResourceRequirements: {
    '': 'Resources that a container or pod needs and may use.',
    limits: 'The most of each resource that may be used.',
    requests: 'What is reserved of each resource. The scheduler counts with it. Default: the limit, if there is one.',
    claims: 'Claims of the pod whose devices the container uses.',
  },
  ResourceStatus: {
    '': 'Health of the devices of one resource.',
    name: 'The resource, or `claim:<claim>/<request>` for devices of a claim.',
    resources: 'Health of each device.',
  },
  SELinuxOptions: {
    '': 'An SELinux context.',
    user: 'User of the context.',
    role: 'Role of the context.',
    type: 'Type of the context.',
    level: 'Level of the context.',
  },
  SeccompProfile: {
    '': 'Which seccomp profile restricts system calls.',
    type: 'Localhost (a file on the node), RuntimeDefault (that of the container runtime) or Unconfined.',
    localhostProfile:
      'Path of the profile below the seccomp directory of the kubelet. Only with type Localhost, and required there.',
  },
  SecretEnvSource: {
    '': 'All entries of a secret as environment variables.',
    optional: 'Do not fail if the secret is missing. Default false.',
  },
  SecretKeySelector: {
    '': 'An entry of a secret.',
    key: 'The key of the entry.',
    optional: secretOrKey,
  },
  SecurityContext: {
    '': 'Security settings of a container. What is set in both places is taken from here, not from the pod.',
    capabilities: 'Linux capabilities to add and drop.',
    privileged: 'Run with nearly all rights on the node. Default false.',
    seLinuxOptions: 'SELinux context of the container.',
    windowsOptions: 'Settings for Windows.',
    runAsUser: 'User ID of the processes. Default: the user of the image.',
    runAsGroup: 'Primary group ID of the processes.',
    runAsNonRoot: 'Refuse to start the container as user 0.',
    readOnlyRootFilesystem: 'Make the root file system of the container read-only. Default false.',
    allowPrivilegeEscalation:
      'Whether a process may gain more rights than its parent has. Always true for privileged containers and with ' +
      'CAP_SYS_ADMIN.',
    procMount: 'Default hides parts of `/proc`, Unmasked shows them. Unmasked needs `hostUsers` false.',
    seccompProfile: 'Restricts the system calls of the container.',
    appArmorProfile: 'AppArmor profile of the container.',
  },
  SleepAction: {
    '': 'Waits.',
    seconds: 'How many seconds.',
  },
  Sysctl: {
    '': 'A kernel parameter.',
    name: 'Name of the parameter.',
    value: 'Value of the parameter.',
  },
  TCPSocketAction: {
    '': 'Opens a TCP connection. That it opens is success.',
    port: 'Number or name of the port.',
    host: 'Host to connect to. Default: the address of the pod.',
  },
  WindowsSecurityContextOptions: {
    '': 'Security settings of a container on Windows.',
    gmsaCredentialSpecName: 'Name of the GMSA credential spec to use.',
    gmsaCredentialSpec: 'The GMSA credential spec itself. A webhook fills it in from the name.',
    runAsUserName: 'User of the processes. Default: the user of the image.',
    hostProcess: 'Run as a process of the host. All containers of the pod must agree, and `hostNetwork` must be true.',
  },
};
