import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  notFoundValue,
  notSupportedValue,
  requiredValue,
  tooMany,
} from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { isExplicitEmpty } from '../../../schema/explicit-empty.ts';
import { Container, ContainerPort } from '../container-types.ts';
import type { PodSpec } from '../pod-types.ts';
import type { ResourceRequirements } from '../resource-requirement-types.ts';
import { portNameErrors } from '../service/port-syntax.ts';
import { validateVariableSources, validateVariables } from './environment-validation.ts';
import { checkDnsLabel, checkPortNumber, checkPresent, type Errors } from './field-checks.ts';
import { validateMounts } from './mount-validation.ts';
import { isSidecar } from './pod-level-resources.ts';
import { type ProbeContext, validateHooksAndProbes } from './probe-validation.ts';
import { validateChoice, validateResizePolicy, validateResources } from './resource-validation.ts';
import { validateSecurityContext } from './security-context-validation.ts';
import { type UsableVolumes, validatePullPolicy } from './volume-validation.ts';

const messagePolicies = enumOf(Container, 'terminationMessagePolicy');
const protocols = enumOf(ContainerPort, 'protocol');
const restartPolicies = ['Always', 'Never', 'OnFailure'];
const restartActions = ['Restart', 'RestartAllContainers'];
const exitCodeOperators = ['In', 'NotIn'];
const maxRestartRules = 20;
const maxExitCodes = 255;

export interface ContainerContext extends ProbeContext {
  readonly spec: PodSpec;
  readonly volumes: UsableVolumes;
  /** The names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
}

export function validateContainers(field: string, context: ContainerContext): void {
  const { spec, errors } = context;
  const containers = spec.containers ?? [];
  if (containers.length === 0) {
    errors.push(requiredValue(field));
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const path = `${field}[${index}]`;
    validateCommon(container, path, context);
    const { name = '' } = container;
    if (names.has(name)) errors.push(duplicateValue(`${path}.name`, name));
    names.add(name);
    validateHooksAndProbes(container, path, context);
    validateRestartPolicy(container, path, errors);
  }
  validateHostPorts(containers, field, errors);
}

export function validateInitContainers(field: string, context: ContainerContext): void {
  const { spec, errors } = context;
  if (spec.initContainers === undefined) return;
  const names = new Set((spec.containers ?? []).map(({ name }) => name));
  for (const [index, container] of spec.initContainers.entries()) {
    const path = `${field}[${index}]`;
    validateCommon(container, path, context);
    const { name } = container;
    if (names.has(name)) errors.push(duplicateValue(`${path}.name`, name ?? ''));
    else if (name) names.add(name);
    // Init containers run one after the other, so each is checked alone, and errors name index 0.
    validateHostPorts([container], field, errors);
    if (isSidecar(container)) validateHooksAndProbes(container, path, context);
    else validateRegularInitContainer(container, path, errors);
    validateRestartPolicy(container, path, errors);
  }
}

/** An init container that runs to completion cannot have lifecycle hooks or probes. */
function validateRegularInitContainer(container: Container, field: string, errors: Errors): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[name] === undefined) continue;
    const detail = 'may not be set for init containers without restartPolicy=Always';
    errors.push(forbiddenValue(`${field}.${name}`, detail));
  }
  for (const [index, { restartPolicy }] of (container.resizePolicy ?? []).entries()) {
    if (restartPolicy !== 'RestartContainer') continue;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    errors.push(invalidValue(`${field}.resizePolicy[${index}].restartPolicy`, restartPolicy, detail));
  }
}

const notForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

export function validateEphemeralContainers(field: string, context: ContainerContext): void {
  const { spec, errors } = context;
  if (spec.ephemeralContainers === undefined) return;
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(others);
  for (const [index, container] of spec.ephemeralContainers.entries()) {
    const path = `${field}[${index}]`;
    const { name = '', targetContainerName } = container;
    validateCommon(container, path, context);
    validateImageSpaces(container, path, errors);
    if (names.has(name)) errors.push(duplicateValue(`${path}.name`, name));
    names.add(name);
    if (targetContainerName && !others.has(targetContainerName)) {
      errors.push(notFoundValue(`${path}.targetContainerName`, targetContainerName));
    }
    validateEphemeralFields(container, path, errors);
  }
}

function validateEphemeralFields(container: Container, field: string, errors: Errors): void {
  const detail = 'cannot be set for an Ephemeral Container';
  for (const name of notForEphemeral) {
    // Resources count as set if one of their fields is set. All other fields count even if they are empty.
    const isSet = name === 'resources' ? hasSetField(container.resources) : isFieldSet(container, name);
    if (isSet) errors.push(forbiddenValue(`${field}.${name}`, detail));
  }
  for (const [index, { subPath, subPathExpr }] of (container.volumeMounts ?? []).entries()) {
    const path = `${field}.volumeMounts[${index}]`;
    if (subPath) errors.push(forbiddenValue(`${path}.subPath`, detail));
    if (subPathExpr) errors.push(forbiddenValue(`${path}.subPathExpr`, detail));
  }
}

function hasSetField(resources: ResourceRequirements = {}): boolean {
  return (['limits', 'requests', 'claims'] as const).some((field) => isFieldSet(resources, field));
}

function isFieldSet<T extends object>(object: T, field: keyof T & string): boolean {
  return Boolean(object[field]) || isExplicitEmpty(object, field);
}

/** Not called for templates: existing templates may have image names with surrounding spaces. */
export function validateImageSpaces({ image = '' }: Container, field: string, errors: Errors): void {
  if (image.trim().length === image.length) return;
  errors.push(invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace'));
}

function validateCommon(container: Container, field: string, context: ContainerContext): void {
  const { spec, errors } = context;
  if (checkPresent(container.name, `${field}.name`, errors)) checkDnsLabel(container.name, `${field}.name`, errors);
  checkPresent(container.image, `${field}.image`, errors);
  const policy = container.terminationMessagePolicy;
  validateChoice(policy, `${field}.terminationMessagePolicy`, { supported: messagePolicies, errors });
  if (container.ports !== undefined) validatePorts(container.ports, `${field}.ports`, errors);
  if (container.env !== undefined) validateVariables(container.env, `${field}.env`, errors);
  if (container.envFrom !== undefined) validateVariableSources(container.envFrom, `${field}.envFrom`, errors);
  validateMounts(container, field, context);
  validatePullPolicy(container.imagePullPolicy, `${field}.imagePullPolicy`, errors);
  if (container.resources !== undefined) validateResources(container.resources, `${field}.resources`, context);
  if (container.resizePolicy !== undefined) {
    const options = { podRestartPolicy: spec.restartPolicy, errors };
    validateResizePolicy(container.resizePolicy, `${field}.resizePolicy`, options);
  }
  if (container.securityContext !== undefined) {
    const options = { hostUsers: spec.hostUsers ?? true, errors };
    validateSecurityContext(container.securityContext, `${field}.securityContext`, options);
  }
}

function validatePorts(ports: readonly ContainerPort[], field: string, errors: Errors): void {
  const names = new Set<string>();
  for (let index = 0; index < ports.length; index++) {
    const { name, containerPort, hostPort, protocol } = ports[index]!;
    const path = `${field}[${index}]`;
    if (name) {
      const details = portNameErrors(name);
      for (const detail of details) errors.push(invalidValue(`${path}.name`, name, detail));
      if (details.length === 0 && names.has(name)) errors.push(duplicateValue(`${path}.name`, name));
      names.add(name);
    }
    if (!containerPort) errors.push(requiredValue(`${path}.containerPort`));
    else checkPortNumber(containerPort, `${path}.containerPort`, errors);
    if (hostPort) checkPortNumber(hostPort, `${path}.hostPort`, errors);
    validateChoice(protocol, `${path}.protocol`, { supported: protocols, errors });
  }
}

/** A host port can be used only once per protocol and address. */
function validateHostPorts(containers: readonly Container[], field: string, errors: Errors): void {
  let usedPorts: Set<string> | undefined;
  for (const [index, { ports }] of containers.entries()) {
    for (const [portIndex, { protocol = '', hostIP = '', hostPort }] of (ports ?? []).entries()) {
      if (!hostPort) continue;
      usedPorts ??= new Set();
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (usedPorts.has(key)) errors.push(duplicateValue(`${field}[${index}].ports[${portIndex}].hostPort`, key));
      usedPorts.add(key);
    }
  }
}

function validateRestartPolicy(container: Container, field: string, errors: Errors): void {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  if (rules.length > 0 && restartPolicy === undefined) {
    const detail = 'must specify restartPolicy when restart rules are used';
    errors.push(requiredValue(`${field}.restartPolicy`, detail));
  }
  if (restartPolicy !== undefined && !restartPolicies.includes(restartPolicy)) {
    errors.push(notSupportedValue(`${field}.restartPolicy`, restartPolicy, restartPolicies));
  }
  if (rules.length > maxRestartRules) {
    errors.push(tooMany(`${field}.restartPolicyRules`, rules.length, maxRestartRules));
  }
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const path = `${field}.restartPolicyRules[${index}]`;
    if (!restartActions.includes(action)) errors.push(notSupportedValue(`${path}.action`, action, restartActions));
    if (exitCodes === undefined) {
      errors.push(requiredValue(`${path}.exitCodes`, 'must be specified'));
      continue;
    }
    const { operator = '', values = [] } = exitCodes;
    if (!exitCodeOperators.includes(operator)) {
      errors.push(notSupportedValue(`${path}.exitCodes.operator`, operator, exitCodeOperators));
    }
    if (values.length > maxExitCodes) errors.push(tooMany(`${path}.exitCodes.values`, values.length, maxExitCodes));
  }
}
